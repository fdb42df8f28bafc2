import { expect, test } from "vitest";
import { cornerAt, corners, straight, swung, wheeled } from "../src/table/wheeling";
import type { MoveDraft } from "../src/table/moving";

const spot = (x: number, y: number) => ({ x, y, z: 0, facing: 0 });
/** Four bases of an inch in two files, the middle of their front at (10, 10), looking away. */
const spots = { a: spot(9.5, 9.5), b: spot(10.5, 9.5), c: spot(9.5, 8.5), d: spot(10.5, 8.5) };
const block = {
  kind: "move", form: { manners: [{ id: "forward", by: "inches" }, { id: "wheel", by: "degrees" }] }, pieces: ["a", "b", "c", "d"], spots, lead: spot(10, 10), legs: [],
} as unknown as MoveDraft;
const pieces = block.pieces.map((id) => ({ id, shape: { kind: "rect" as const, width: 1, depth: 1, points: [] } }));

test("a block has two corners, each of which swings about the other", () => {
  const [left, right] = corners(block, pieces);
  expect(left!.pivot).toEqual([11, 10]);
  expect(right!.pivot).toEqual([9, 10]);
  expect(left!.at[0]).toBeLessThan(9);
  expect(cornerAt([left!, right!], 11.3, 10.3)).toBe(right);
  expect(cornerAt([left!, right!], 10, 10)).toBeUndefined();
  expect(corners({ ...block, form: { ...block.form, manners: [] } }, pieces)).toEqual([]);
});

test("the left corner carried forward wheels to the right, backwards it does not go", () => {
  const [left, right] = corners(block, pieces);
  const pivot = { ...left!, at: [9, 10] as [number, number] };
  expect(swung(pivot, 11 - Math.SQRT2, 10 + Math.SQRT2)).toBe(45);
  expect(swung(pivot, 9, 9)).toBe(0);
  expect(swung({ ...right!, at: [11, 10] }, 9, 12)).toBe(-90);
});

test("a wheel follows the manoeuvres before it, and none is left of a wheel of nothing", () => {
  const before = [{ how: "forward", inches: 3 }];
  expect(wheeled(block, before, 30).legs).toEqual([...before, { how: "wheel", degrees: 30 }]);
  expect(wheeled(block, before, 0).legs).toEqual(before);
});

test("it is led straight on from where it has wheeled to, whichever way it mostly goes of those that it may", () => {
  const manners = [{ id: "forward", by: "inches", towards: 0 }, { id: "wheel", by: "degrees", towards: null }];
  const turned = { ...block, form: { manners }, lead: { ...spot(10, 10), facing: 90 }, legs: [{ how: "wheel", degrees: 90 }] } as unknown as MoveDraft;
  const on = straight(turned, 3, 1);
  expect(on.legs).toEqual([{ how: "wheel", degrees: 90 }, { how: "forward", inches: 3 }]);
  expect([on.lead.x, on.lead.y]).toEqual([13, 10]);
  expect(straight(turned, -3, 1)).toBe(turned);
});
