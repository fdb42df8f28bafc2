import { expect, it } from "vitest";
import { pick, meets, inside } from "../src/board/pick";
import type { Picture, Piece } from "../src/protocol";

const piece = (more: Partial<Piece>): Piece => ({
  id: "a", unit: "a", side: 0, x: 5, y: 5, z: 0, facing: 0, height: 1, icon: "", models: 1, wounds: null, wounds_max: null, figure: "foot",
  shape: { kind: "round", width: 1, depth: 1, points: [] }, ...more,
});
const floor: [number, number][] = [[8, 8], [12, 8], [12, 12], [8, 12]];
const picture: Picture = {
  width: 30, depth: 22, pieces: [], markers: [], zones: [], cards: [], track: [], score: [], pools: [], scenario: null, goal: [], ground: "felt", homes: [0, 180], phases: [], turn: null,
  terrain: [{ id: "t", name: { zh: "", en: "" }, tags: [], rules: [], blocks: [{ kind: "platform", points: floor, z: 3, top: 3.2 }] }],
};
const down = (x: number, y: number) => ({ from: [x, y, 50] as [number, number, number], along: [0, 0, -1] as [number, number, number] });

it("finds the piece under the pointer, and the table beside it", () => {
  expect(pick(down(5.3, 5), picture, [piece({})])).toMatchObject({ piece: "a" });
  expect(pick(down(6, 5), picture, [piece({})])).toMatchObject({ x: 6, y: 5, z: 0 });
});

it("lands on the highest floor, or beneath one that is faded", () => {
  expect(pick(down(10, 10), picture, [])).toMatchObject({ z: 3.2, terrain: "t" });
  expect(pick(down(10, 10), picture, [], 3)).toMatchObject({ z: 0 });
});

it("reaches who may be taken hold of through the floor above, and nobody else", () => {
  const below = piece({ id: "b", x: 10, y: 10 }), above = piece({ id: "c", x: 10, y: 10, z: 3.2 });
  expect(pick(down(10, 10), picture, [below])).toMatchObject({ terrain: "t" });
  expect(pick(down(10, 10), picture, [below], Infinity, [below])).toMatchObject({ piece: "b" });
  expect(pick(down(10, 10), picture, [below, above], Infinity, [below])).toMatchObject({ piece: "c" });
  expect(pick(down(11.5, 10), picture, [below], Infinity, [below])).toMatchObject({ z: 3.2 });
});

it("turns a rectangle with its facing", () => {
  const tray = piece({ shape: { kind: "rect", width: 4, depth: 1, points: [] } });
  expect(meets(down(6.8, 5), tray)).not.toBeNull();
  expect(meets(down(6.8, 5), { ...tray, facing: 90 })).toBeNull();
  expect(meets(down(5, 6.8), { ...tray, facing: 90 })).not.toBeNull();
});

it("sees a piece from the side", () => {
  expect(meets({ from: [0, 5, 0.5], along: [1, 0, 0] }, piece({}))).toBeCloseTo(4.5);
  expect(meets({ from: [0, 5, 1.5], along: [1, 0, 0] }, piece({}))).toBeNull();
});

it("knows inside from outside", () => {
  expect(inside(floor, 10, 10)).toBe(true);
  expect(inside(floor, 13, 10)).toBe(false);
});
