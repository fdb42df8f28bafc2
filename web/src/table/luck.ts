/** What the dice gave against what was to be expected, from the rolls that say what they needed. */
import type { GameEvent, Roll } from "../protocol";

export interface Luck {
  dice: number;
  expected: number;
  got: number;
  /** How far from the mean, in standard deviations. */
  deviation: number;
}

const succeeds = (face: number, need: number) => (need > 0 ? face >= need : face <= -need);

export function chance(roll: Pick<Roll, "sides" | "need">): number {
  const need = roll.need ?? 0;
  const faces = need > 0 ? roll.sides - need + 1 : -need;
  return Math.min(1, Math.max(0, faces / roll.sides));
}

/** One roll's dice that count: all of a first throw; of a re-roll, only those thrown again. */
export function counted(event: GameEvent): number[] {
  const { roll } = event;
  if (!roll?.need) return [];
  if (event.kind !== "reroll") return roll.faces;
  return roll.faces.filter((_, i) => roll.first?.[i]);
}

export function luck(events: GameEvent[], side: number): Luck {
  let dice = 0, expected = 0, got = 0, variance = 0;
  for (const event of events) {
    if (!event.roll || event.roll.side !== side) continue;
    const p = chance(event.roll);
    for (const face of counted(event)) {
      dice += 1;
      expected += p;
      variance += p * (1 - p);
      if (succeeds(face, event.roll.need!)) got += 1;
    }
  }
  return { dice, expected, got, deviation: variance > 0 ? (got - expected) / Math.sqrt(variance) : 0 };
}

export const isSuccess = (face: number, roll: Roll) => !!roll.need && succeeds(face, roll.need);
