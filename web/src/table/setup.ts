/** A newcomer may leave the setting up to the umpire: its questions get his suggestions until the battle asks something else. */
import type { Decision } from "../protocol";
import { hurry, question, say, useTable } from "./store";

export const isSetUp = (ask: Decision | null): boolean => !!ask?.preparing;

let left = false;
let answering: Decision | null = null;

export function setUpForMe(): void {
  left = true;
  void go();
}

async function go(): Promise<void> {
  const state = useTable.getState();
  const ask = question(state);
  if (state.showing) hurry();
  if (!state.view || (ask && !isSetUp(ask))) left = false;
  if (!left || !ask || ask === answering) return;
  answering = ask;
  const usual = "default" in ask && ask.kind !== "place" && ask.kind !== "move" ? ask.default : undefined;
  const answer = usual !== undefined ? usual : await say.suggest();
  if (answer !== null && question(useTable.getState()) === ask) say.answer(answer);
}

useTable.subscribe(() => {
  if (left) void go();
});
