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

const means = (option: Option, unit: string) => option.id === unit || !!option.refs?.includes(unit);

/** What is answered after an option that is done to a unit, or to any; undefined where it cannot be done to that one. */
export function stepsTo(option: Option, follows: Follows | undefined, target?: string): Step[] | undefined {
  const found = branches(follows);
  const way = found.find((one) => target === undefined || means(one.option, target));
  if (way) return way.steps;
  // What may be declined, a reaction, is no choice of a target: it is asked when the unit is on its way.
  return option.drop && (!found.length || found.some((one) => one.option.passes)) ? [] : undefined;
}

/** All of the ways on, however far. */
export const leaves = (found: Branch[]): Branch[] => found.flatMap((one) => [one, ...leaves(one.further)]);

/** Is this what the plan has an answer to? */
export function expected(ask: Decision, step: Step | undefined): boolean {
  if (!step || !chooses(ask) || ask.prompt.key !== step.key) return false;
  const wanted = Array.isArray(step.answer) ? (step.answer as string[]) : [step.answer as string];
  return wanted.every((id) => ask.options.some((option) => option.id === id));
}
