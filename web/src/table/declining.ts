/** Questions to which there is nothing to say, and answers with which nothing is done. */
import type { Decision, Json, Option, View } from "../protocol";

/** Until a phase of the turn that is played, or with null until that turn is over. */
export interface Until {
  phase: string | null;
  turn: number;
}

/** The answer with which nothing is done: the phase ends, or what is offered is declined. */
export const letGo = (ask: Decision | null): Option | undefined => (ask?.kind === "choose" ? ask.options.find((option) => option.ends || option.passes) : undefined);

/** Is what was waited for there: another turn, or the phase? */
export function reached(until: Until, view: View): boolean {
  const { turn, phases } = view.picture;
  return !!view.outcome || turn !== until.turn || (until.phase !== null && phases.some((phase) => phase.now && phase.id === until.phase));
}

/** The only legal answer that there is, or the only one that comes to anything, if that can be seen from the question. */
export function onlyAnswer(ask: Decision): Json {
  if (ask.kind === "choose" && ask.options.length === 1) return ask.options[0]!.id;
  if (ask.kind === "choose" && ask.options.every((option) => option.vain || option.ends || option.passes)) return letGo(ask)?.id;
  if (ask.kind === "choose-several" && ask.least === ask.options.length) return ask.options.map((option) => option.id);
  if (ask.kind === "order" && ask.options.length === 1) return ask.options.map((option) => option.id);
  return undefined;
}

/** What is declined, where that is all that a question usually comes to. */
export const declined = (ask: Decision) => (ask.kind === "choose" && ask.default === undefined ? ask.options.find((option) => option.passes)?.id : undefined);

/** What somebody would usually answer, if the question tells it; null where the umpire has to be asked for it. */
export function usual(ask: Decision): Json {
  switch (ask.kind) {
    case "choose":
      return ask.default ?? declined(ask);
    case "choose-several":
    case "split":
      return ask.default;
    case "order":
      return ask.detail ? ask.options.map((option) => option.id) : undefined;
    case "move":
      return ask.detail ? null : undefined;
    default:
      return undefined;
  }
}
