/** Pieces that are put somewhere by hand, whatever the rules say: in the lab. Who arranges says what may be taken. */
import { create } from "zustand";

export interface Arranger {
  /** The pieces that go with this one; none where it cannot be taken. */
  group(id: string, alone: boolean): string[];
  drop(id: string, by: [number, number], alone: boolean): void;
}

interface Carried {
  arranger: Arranger | null;
  ids: Set<string>;
  by: [number, number];
  alone: boolean;
}

const nothing = { ids: new Set<string>(), by: [0, 0] as [number, number], alone: false };

export const useCarried = create<Carried>(() => ({ arranger: null, ...nothing }));
const { setState: set, getState: get } = useCarried;

export const arranging = {
  by: (arranger: Arranger | null) => set({ arranger, ...nothing }),
  takes: (id: string): string | null => (id && get().arranger?.group(id, false).length ? id : null),
  /** Carry something so far; says what is carried with it. */
  carry(id: string, by: [number, number] | null, alone: boolean): string[] {
    const ids = get().arranger?.group(id, alone) ?? [];
    if (by) set({ ids: new Set(ids), by, alone });
    return ids;
  },
  drop(id: string): void {
    const { arranger, by, alone } = get();
    arranger?.drop(id, by, alone);
  },
  /** It stands where the new picture says. */
  done: () => set(nothing),
};
