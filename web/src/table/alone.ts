/** Nobody is asked what has one answer, nor how a thing is done that has a usual way: that is answered at once, unless a
 *  player wants to be asked or has come back to it. */
import type { Decision, Json } from "../protocol";
import { useSettings } from "../settings";
import { onlyAnswer, usual } from "./declining";
import { LAB, question, say, useTable } from "./store";
import { note, taken, useGiven, wishFor } from "./usual";

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
  const detail = only === undefined && taken(state.view!, ask);
  if (only === undefined && !detail) return;
  done = ask;
  // After everybody who listens has seen the question.
  queueMicrotask(() => void give(ask, detail ? usual(ask) : only, detail));
});

async function give(ask: Decision, answer: Json, detail: boolean): Promise<void> {
  const found = answer === null ? await say.suggest() : answer;
  const { view } = useTable.getState();
  if (found === null || !view || question(useTable.getState()) !== ask) return;
  const { given } = useGiven.getState();
  say.answer(found);
  useGiven.setState({ given }); // it was not the player who answered
  if (detail) note({ key: wishFor(view, ask), prompt: ask.prompt });
}
