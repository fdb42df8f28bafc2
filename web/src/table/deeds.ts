/** "This unit, what can it do?": a question that offers deeds of several units is answered unit first. */
import type { Choose, Option } from "../protocol";

export interface Entry {
  /** The option that this button is, or the unit whose deeds it opens. */
  index: number | null;
  unit: string | null;
  /** It stands beside its unit's name with its other deeds, so that one click is enough. */
  among?: boolean;
}

/** So many deeds can be taken in at a glance, unit by unit, where there is room; more of them are opened unit by unit. */
const MOST_GROUPED = 16;
const roomy = typeof matchMedia === "undefined" ? { matches: true } : matchMedia("(min-width: 1101px)");

/** The deeds of each unit, in the order in which they are offered; empty where units have nothing to do with it. */
export function deedsOf(ask: Choose): Map<string, number[]> {
  const found = new Map<string, number[]>();
  ask.options.forEach((option, i) => {
    if (option.unit) found.set(option.unit, [...(found.get(option.unit) ?? []), i]);
  });
  return found;
}

/** Is there more than a unit to choose: several deeds of one? */
export const unitFirst = (ask: Choose): boolean => ask.options.length > 3 && [...deedsOf(ask).values()].some((deeds) => deeds.length > 1);

/** The buttons to show: the units that may do something, or the deeds of the chosen one, and what belongs to nobody. */
export function entries(ask: Choose, selected: string | null, flat: boolean): Entry[] {
  const all = ask.options.map((_, index): Entry => ({ index, unit: null }));
  if (flat || !unitFirst(ask)) return all;
  const deeds = deedsOf(ask);
  const free = all.filter(({ index }) => !ask.options[index!]!.unit);
  if (all.length <= MOST_GROUPED && roomy.matches)
    return [...[...deeds].flatMap(([unit, list]) => list.map((index): Entry => ({ index, unit, among: true }))), ...free];
  const own = selected === null ? undefined : deeds.get(selected);
  if (own) return [...own.map((index): Entry => ({ index, unit: null })), ...free];
  return [...[...deeds].map(([unit, list]): Entry => (list.length === 1 ? { index: list[0]!, unit } : { index: null, unit })), ...free];
}

/** What taking hold of a unit and moving it would choose. */
export const dragOf = (ask: Choose, unit: string): Option | undefined => ask.options.find((option) => option.drag && option.unit === unit);
