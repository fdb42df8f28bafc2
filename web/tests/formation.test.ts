import { expect, it } from "vitest";
import { carried, entry, front, manoeuvred, ranked, stepped } from "../src/table/formation";

const stand = { kind: "rect" as const, width: 2, depth: 2, points: [] };
const at = (x: number, y: number, facing = 0) => ({ x, y, z: 0, facing });
const near = (spot: { x: number; y: number; facing: number }, x: number, y: number, facing: number) => {
  expect(spot.x).toBeCloseTo(x, 3);
  expect(spot.y).toBeCloseTo(y, 3);
  expect(spot.facing).toBeCloseTo(facing, 3);
};

it("finds the front of a block", () => {
  const found = front([{ ...at(5, 5), shape: stand }, { ...at(7, 5), shape: stand }, { ...at(5, 3), shape: stand }]);
  near(found.pose, 6, 6, 0);
  expect(found.wide).toBe(4);
});

it("finds it when the block looks right", () => {
  near(front([{ ...at(5, 5, 90), shape: stand }, { ...at(5, 3, 90), shape: stand }]).pose, 6, 4, 90);
});

it("wheels about the corner on the side it turns to", () => {
  near(manoeuvred(at(6, 6), 4, { how: "wheel", degrees: 90 }), 8, 8, 90);
  near(manoeuvred(at(6, 6), 4, { how: "wheel", degrees: -90 }), 4, 8, 270);
});

it("goes forward and sideways in its own directions", () => {
  near(manoeuvred(at(0, 0, 90), 4, { how: "forward", inches: 3 }), 3, 0, 90);
  near(manoeuvred(at(0, 0, 90), 4, { how: "right", inches: 2 }), 0, -2, 90);
});

it("carries what follows", () => near(carried(at(0, -1), at(0, 0), at(5, 5, 90)), 4, 5, 90));

it("lengthens a step, and takes it back", () => {
  const once = stepped([], "forward", 0.5);
  expect(stepped(once, "forward", 0.5)).toEqual([{ how: "forward", inches: 1 }]);
  expect(stepped(once, "back", 0.5)).toEqual([]);
  expect(stepped(once, "wheel", 15)).toEqual([...once, { how: "wheel", degrees: 15 }]);
});

it("draws ranks behind the front, the last one centred", () => {
  const spots = ranked(["a", "b", "c"], 2, stand, at(10, 10));
  near(spots.a!, 9, 9, 0);
  near(spots.c!, 10, 7, 0);
});

it("comes on at a table edge, looking inwards", () => near(entry("north", 12, { width: 60, depth: 44 }), 12, 44, 180));
