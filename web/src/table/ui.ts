/** What is pointed at, picked up and opened on the screen; nothing here reaches the server but a measurement. */
import { create } from "zustand";
import type { End, Measured } from "../protocol";
import { say } from "./store";

export type Tab = "log" | "rules" | "chat" | "luck";
export type Sheet = "settings" | "share" | "about" | "keys" | "goal" | null;

interface UiState {
  hover: string | null;
  /** The units that a line of the log speaks of, while it is pointed at. */
  spoken: string[];
  selected: string | null;
  tab: Tab;
  rule: string | null;
  sheet: Sheet;
  left: boolean;
  right: boolean;
  measuring: boolean;
  /** A hand leads a unit to another. */
  aim: { from: [number, number, number]; to: [number, number, number] } | null;
  /** The guide was called, though the table was opened without it or it was closed. */
  guide: boolean;
  from: { end: End; at: [number, number, number] } | null;
  measured: { from: [number, number, number]; to: [number, number, number]; result: Measured | null } | null;
}

export const useUi = create<UiState>(() => ({
  hover: null,
  spoken: [],
  selected: null,
  tab: "log",
  rule: null,
  sheet: null,
  left: matchMedia("(min-width: 1101px)").matches,
  right: true,
  measuring: false,
  aim: null,
  guide: false,
  from: null,
  measured: null,
}));

const { setState: set, getState: get } = useUi;

// Where there is room beside the table both panels stand open; where there is not, the armies come when they are called.
const roomy = matchMedia("(min-width: 1101px)");
roomy.addEventListener("change", () => set({ left: roomy.matches, right: true }));

export const ui = {
  set,
  openRule: (rule: string) => set({ rule, tab: "rules", right: true }),
  select: (selected: string | null) => set({ selected }),
  hover: (hover: string | null) => get().hover !== hover && set({ hover }),
  measure: (measuring: boolean) => set({ measuring, from: null, measured: null }),
  /** The first click takes the tape's end, the second reads it. */
  async tape(end: End, at: [number, number, number]) {
    const { from } = get();
    if (!from) return set({ from: { end, at }, measured: null });
    set({ measured: { from: from.at, to: at, result: null }, from: null });
    const result = await say.measure(from.end, end);
    const { measured } = get();
    if (measured && measured.to === at) set({ measured: { ...measured, result } });
  },
};
