/** Nobody is asked what has one answer: it is given at once, unless a player wants to be asked always or has come back to it. */
import type { Decision } from "../protocol";
import { useSettings } from "../settings";
import { onlyAnswer } from "./declining";
import { LAB, question, say, useTable } from "./store";

/** As many answers as there were in the whole battle so far: fewer means that something was taken back. */
let most = 0;
let table = "";
let done: Decision | null = null;

useTable.subscribe((state) => {
  const ask = question(state);
  if (state.view && state.view.table.id !== table) [table, most] = [state.view.table.id, 0];
  if (!ask || ask === done || state.view?.table.id === LAB || useSettings.getState().askAlways) return;
  const { answers } = state.view!;
  if (answers < most) return;
  most = answers;
  const only = onlyAnswer(ask);
  if (only === undefined) return;
  done = ask;
  // After everybody who listens has seen the question.
  queueMicrotask(() => question(useTable.getState()) === ask && say.answer(only));
});
