/** Letting things go: until one's own turn, a later phase of it or the end of this one, everything that may be declined is
 *  declined at once. */
import { create } from "zustand";
import type { Decision } from "../protocol";
import { letGo, likeOf, reached, type Until } from "./declining";
import { LAB, question, say, useTable } from "./store";

export const usePassing = create<{ until: Until | null }>(() => ({ until: null }));

/** Nothing more is asked that may be declined before this phase, or with null in the whole turn that is played, or only in
 *  the phase that is played now. */
export function pass(phase: string | null, during?: string): void {
  const turn = useTable.getState().view?.picture.turn;
  if (turn === null || turn === undefined) return;
  usePassing.setState({ until: { phase, turn, ...(during === undefined ? {} : { during }) } });
  look();
}

/** What is offered now, and its like, is declined in the whole turn that is played. */
export function passLike(): void {
  const { view } = useTable.getState();
  const now = question(useTable.getState());
  if (!now || !view || view.picture.turn === null) return;
  usePassing.setState({ until: { phase: null, turn: view.picture.turn, like: likeOf(now, view) } });
  look();
}

export const ask = (): void => usePassing.setState({ until: null });

let most = 0;
let asked: Decision | null = null;

function look(): void {
  const state = useTable.getState();
  const { until } = usePassing.getState();
  if (!until || !state.view) return;
  const taken = state.view.answers < most; // somebody who takes back wants to think again
  most = state.view.answers;
  if (taken || state.view.table.id === LAB || reached(until, state.view)) return ask();
  const now = question(state);
  // In one's own phase reactions are declined, and the phase goes on.
  const option = letGo(now, (until.during === undefined && until.like === undefined) || until.turn !== state.view.side);
  if (!now || !option || asked === now) return;
  if (until.like !== undefined && likeOf(now, state.view) !== until.like) return;
  asked = now;
  queueMicrotask(() => question(useTable.getState()) === now && say.answer(option.id));
}

useTable.subscribe((state, before) => {
  if (!state.view) usePassing.setState({ until: null });
  else if (question(state) !== question(before) || state.view !== before.view) look();
});
