/** What a person prefers, kept in this browser only. */
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { firstLanguage, ownWord } from "./language";
import type { Lang, Text } from "./protocol";

interface Settings {
  lang: Lang;
  theme: "light" | "dark";
  animate: boolean;
  names: boolean;
  shadows: boolean;
  /** As many pixels as the screen has, and smooth edges. */
  fine: boolean;
  guideClosed: boolean;
  goalCard: boolean;
  sound: boolean;
  /** Every pair of deed and unit is a button, for the keyboard. */
  flat: boolean;
  pace: "calm" | "normal" | "quick";
  notices: boolean;
  /** It was asked whether the browser shall tell whose turn it is. */
  noticesAsked: boolean;
  /** Put also the questions that have one answer. */
  askAlways: boolean;
  /** Questions that have a usual answer: those that are asked although they are details (`asked`), and those that a player
   *  wants answered as usual from now on, by game or battle and prompt. */
  asks: Record<string, { asked: boolean; prompt: Text }>;
  /** A unit that is let go of on a legal place has moved there; it can be taken back. */
  dropMoves: boolean;
  set: (change: Partial<Omit<Settings, "set">>) => void;
}

const firstTheme = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export const useSettings = create<Settings>()(
  persist(
    (set) => ({
      lang: firstLanguage(navigator.language),
      theme: firstTheme(),
      animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      names: false,
      shadows: true,
      fine: true,
      guideClosed: false,
      goalCard: true,
      sound: true,
      flat: false,
      pace: "normal",
      notices: false,
      noticesAsked: false,
      askAlways: false,
      asks: {},
      dropMoves: true,
      set: (change) => set(change),
    }),
    { name: "umpire.settings" },
  ),
);

/** Language and theme stand on <html>, where style sheets and screen readers look for them. */
export function showSettings(): void {
  const show = ({ lang, theme }: Settings) => {
    document.documentElement.lang = ownWord(lang, "languageTag");
    document.documentElement.dataset.theme = theme;
  };
  show(useSettings.getState());
  useSettings.subscribe(show);
}
