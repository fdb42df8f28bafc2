/** A newcomer may leave the setting up to the umpire: its questions get his suggestions until the battle asks something else. */
import { create } from "zustand";
import type { Decision } from "../protocol";
import { hurry, question, say, useTable } from "./store";

export const isSetUp = (ask: Decision | null): boolean => !!ask?.preparing;

/** Is it left to the umpire now? */
export const useSetUp = create<{ left: boolean }>(() => ({ left: false }));
let answering: Decision | null = null;

export function setUpForMe(): void {
  useSetUp.setState({ left: true });
  void go();
}

async function go(): Promise<void> {
  const state = useTable.getState();
  const ask = question(state);
  if (state.showing) hurry();
  if (!state.view || (ask && !isSetUp(ask))) useSetUp.setState({ left: false });
  if (!useSetUp.getState().left || !ask || ask === answering) return;
  answering = ask;
  const usual = "default" in ask && ask.kind !== "place" && ask.kind !== "move" ? ask.default : undefined;
  const answer = usual !== undefined ? usual : await say.suggest();
  if (answer !== null && question(useTable.getState()) === ask) say.answer(answer);
}

useTable.subscribe(() => {
  if (useSetUp.getState().left) void go();
});
