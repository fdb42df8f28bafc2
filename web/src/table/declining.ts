/** Questions to which there is nothing to say, and answers with which nothing is done. */
import type { Decision, Json, Option, View } from "../protocol";

/** Until a phase of the turn that is played, or with null until that turn is over; `during` ends it with that phase; with
 *  `like` only questions of one kind are meant. */
export interface Until {
  phase: string | null;
  turn: number;
  during?: string;
  like?: string;
}

/** What is asked, and about whose deed: questions that agree in both are alike. */
export function likeOf(ask: Decision, view: View): string {
  const about = view.picture.cards.find((card) => card.id === ask.about || card.pieces.includes(ask.about));
  return `${ask.prompt.key ?? ""} ${about?.side ?? ""}`;
}

/** The answer with which nothing is done: the phase ends, unless that is not meant, or what is offered is declined. */
export const letGo = (ask: Decision | null, ending = true): Option | undefined =>
  ask?.kind === "choose" ? ask.options.find((option) => (ending && option.ends) || option.passes) : undefined;

/** Is what was waited for there: another turn, or the phase? */
export function reached(until: Until, view: View): boolean {
  const { turn, phases } = view.picture;
  const now = phases.find((phase) => phase.now)?.id;
  return !!view.outcome || turn !== until.turn || (until.phase !== null && now === until.phase) || (until.during !== undefined && now !== until.during);
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
