import { expect, it, vi } from "vitest";

vi.mock("../src/board/Rig", () => ({ lens: { project: () => null, listeners: new Set() } }));
const { settled } = await import("../src/board/Labels");

const label = (x: number, y: number, weight = 0) => ({ x, y, w: 40, h: 16, weight });
const apart = (a: { x: number; y: number; w: number; h: number }, b: typeof a) => Math.abs(a.x - b.x) * 2 >= a.w + b.w || Math.abs(a.y - b.y) * 2 >= a.h + b.h;

it("labels that would lie on one another stand side by side", () => {
  const found = settled([label(100, 100), label(110, 102), label(105, 98)], []).map((place) => place!);
  for (const [i, a] of found.entries()) for (const b of found.slice(i + 1)) expect(apart(a, b)).toBe(true);
});

it("what is pointed at keeps its place, and all keep off pieces where they can", () => {
  const found = settled([label(100, 100), label(100, 100, 2)], [{ x: 100, y: 122, w: 20, h: 20 }]);
  expect(found[1]).toMatchObject({ x: 100, y: 100 });
  expect(apart(found[0]!, { x: 100, y: 122, w: 20, h: 20 })).toBe(true);
});

it("a tag gives way where there is no room at all", () => {
  const crowd = Array.from({ length: 40 }, () => label(100, 100));
  expect(settled(crowd, []).filter((place) => place === null).length).toBeGreaterThan(20);
});

it("above what it names is a place too", () => {
  const found = settled([{ ...label(100, 100), over: 40 }], [{ x: 100, y: 100, w: 60, h: 20 }]);
  expect(found[0]).toMatchObject({ x: 100, y: 40 });
});

it("the name of a line is not shown where it would lie on a piece or beside its line", () => {
  const piece = { x: 100, y: 100, w: 200, h: 30 };
  expect(settled([{ ...label(100, 100, 0.5), firm: true }], [piece])[0]!.x).toBe(100);
  expect(settled([{ ...label(100, 100, 0.5), firm: true }], [{ ...piece, h: 200 }])[0]).toBeNull();
});
