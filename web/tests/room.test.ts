import { expect, test } from "vitest";
import type { Picture, Piece, Point } from "../src/protocol";
import { roomFor } from "../src/lab/room";

const piece = (x: number, y: number): Piece => ({
  id: `${x}`, unit: `${x}`, side: 0, shape: { kind: "round", width: 1, depth: 1, points: [] }, x, y, z: 0, facing: 0, height: 1, icon: "", models: 1, wounds: null, wounds_max: null, figure: "foot",
});
const wall: Point[] = [[10, 0], [12, 0], [12, 20], [10, 20]];
const picture = (pieces: Piece[], walls: Point[][] = []) =>
  ({ width: 20, depth: 20, pieces, terrain: walls.map((points, n) => ({ id: `${n}`, name: {}, blocks: [{ kind: "wall", points, z: 0, top: 3 }], tags: [], rules: [] })) }) as unknown as Picture;

test("a thing comes down where it is wished for, or as near as there is room beside what stands there", () => {
  expect(roomFor([-1, -1, 1, 1], [5, 5], picture([]))).toEqual([5, 5]);
  const [x, y] = roomFor([-1, -1, 1, 1], [5, 5], picture([piece(5, 5)]));
  expect(Math.max(Math.abs(x - 5), Math.abs(y - 5))).toBeGreaterThanOrEqual(1.5);
  expect(Math.hypot(x - 5, y - 5)).toBeLessThan(3);
});

test("it lies wholly on the table and on no terrain; where there is no room at all the wish stands", () => {
  expect(roomFor([-3, -1, 3, 0], [1, 0.5], picture([]))).toEqual([3, 1]);
  const [x] = roomFor([-2, -2, 2, 2], [11, 10], picture([], [wall]));
  expect(x <= 8 || x >= 14).toBe(true);
  expect(roomFor([-15, -1, 15, 1], [10, 10], picture([]))).toEqual([10, 10]);
});
