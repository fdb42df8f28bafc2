import { expect, it } from "vitest";
import type { GameEvent, Roll } from "../src/protocol";
import { chance, luck } from "../src/table/luck";

const event = (kind: string, roll: Partial<Roll>): GameEvent => ({
  n: 0, kind, text: { zh: "", en: "" }, roll: { purpose: "hit", rule: "", sides: 6, faces: [], side: 0, ...roll },
});

it("reads what a roll needed, from above and from below", () => {
  expect(chance({ sides: 6, need: 4 })).toBeCloseTo(1 / 2);
  expect(chance({ sides: 6, need: -2 })).toBeCloseTo(1 / 3);
  expect(chance({ sides: 6, need: 7 })).toBe(0);
});

it("counts successes against what was expected, each side for itself", () => {
  const found = luck([event("roll", { need: 4, faces: [4, 6, 1, 2] }), event("roll", { need: 4, faces: [6], side: 1 })], 0);
  expect(found).toMatchObject({ dice: 4, expected: 2, got: 2, deviation: 0 });
});

it("counts only the dice that were thrown again", () => {
  const again = event("reroll", { need: 4, faces: [4, 5], first: [1, 0] });
  expect(luck([event("roll", { need: 4, faces: [1, 5] }), again], 0)).toMatchObject({ dice: 3, expected: 1.5, got: 2 });
});

it("leaves rolls alone that need nothing", () => {
  expect(luck([event("roll", { faces: [6, 6] })], 0).dice).toBe(0);
});
