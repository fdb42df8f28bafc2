/** Questions that follow on one another, and the ways through them. */
import type { Choose, ChooseSeveral, Decision, Follows, Json, Option } from "../protocol";

type Chosen = Choose | ChooseSeveral;
/** An answer to a question that is yet to come, which is known by what it asks. */
export interface Step {
  key: string;
  answer: Json;
}

export const chooses = (ask: Decision | null): ask is Chosen => ask?.kind === "choose" || (ask?.kind === "choose-several" && ask.most === 1);
export const written = (ask: Chosen, id: string): Json => (ask.kind === "choose" ? id : [id]);

export interface Branch {
  option: Option;
  steps: Step[];
  /** What it leads to in its turn. */
  further: Branch[];
}

/** The ways on from an option: what can be chosen next, each with all that is to be answered after the option. */
export function branches(follows: Follows | undefined, before: Step[] = []): Branch[] {
  if (!follows || !chooses(follows.ask)) return [];
  const { ask, then } = follows;
  return ask.options.map((option) => {
    const steps = [...before, { key: ask.prompt.key ?? "", answer: written(ask, option.id) }];
    return { option, steps, further: branches(then[option.id], steps) };
  });
}

/** All of the ways on, however far. */
export const leaves = (found: Branch[]): Branch[] => found.flatMap((one) => [one, ...leaves(one.further)]);

/** Is this what the plan has an answer to? */
export function expected(ask: Decision, step: Step | undefined): boolean {
  if (!step || !chooses(ask) || ask.prompt.key !== step.key) return false;
  const wanted = Array.isArray(step.answer) ? (step.answer as string[]) : [step.answer as string];
  return wanted.every((id) => ask.options.some((option) => option.id === id));
}
