/** What an option leads to at once is offered together with it: one click answers both questions, or three. */
import { create } from "zustand";
import type { Decision, Follows, Json, Option } from "../protocol";
import { chooses, expected, stepsTo, written, type Step } from "./following";
import { LAB, question, say, useTable } from "./store";

/** By the options of the open question, what each would lead to. */
export const useAhead = create<{ ask: Decision | null; ahead: Record<string, Follows> }>(() => ({ ask: null, ahead: {} }));

let plan: Step[] = [];
let met: Decision | null = null;

/** An option of the open question as it is answered. */
export function answerOf(option: string): Json {
  const ask = question(useTable.getState());
  return chooses(ask) ? written(ask, option) : option;
}

/** Choose this now, and answer the rest as soon as it is asked. */
export function giveAll(option: string, steps: Step[]): void {
  plan = steps;
  met = question(useTable.getState());
  say.answer(answerOf(option));
}

/** Whose deed an option is: some are named by the unit alone. */
const doer = (option: Option) => option.unit ?? option.refs?.[0];

/** What letting go of a unit on another would choose: what needs no more to be said, or what can be done to that one. */
export function aims(ask: Decision | null, unit: string, target?: string): { option: Option; steps: Step[] }[] {
  if (ask?.kind !== "choose") return [];
  const { ahead } = useAhead.getState();
  return ask.options.filter((option) => doer(option) === unit && !option.drag && !option.ends && !option.passes).flatMap((option) => {
    const steps = stepsTo(option, ahead[option.id], target);
    return steps ? [{ option, steps }] : [];
  });
}

useTable.subscribe((state) => {
  const ask = question(state);
  if (!ask || ask === met) return;
  met = ask;
  useAhead.setState({ ask, ahead: {} });
  if (expected(ask, plan[0])) {
    const { answer } = plan.shift()!;
    return queueMicrotask(() => question(useTable.getState()) === ask && say.answer(answer));
  }
  plan = [];
  if (!chooses(ask) || ask.preparing || state.view?.table.id === LAB) return;
  void say.ahead().then((ahead) => ahead && useAhead.getState().ask === ask && useAhead.setState({ ahead }));
});
