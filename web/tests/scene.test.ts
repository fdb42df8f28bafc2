import { expect, test } from "vitest";
import { addAt, freeId, pack, removeAt, setAt, shift, shifted, unpack, valueAt, withAnswer, withoutLast } from "../src/lab/scene";

const TEXT = `game: warcry
position:
  # who stands where
  fighters:
    - {id: a1, side: 0, x: 8, y: 11} # the chief
    - {id: b1, side: 1, x: 10.5, y: 11}
  terrain: []
`;
const UNITS = `position:
  units:
    - {id: a1, models: [[1, 2], [3, 4, 90]]}
`;

test("a piece that is dragged changes its numbers and nothing else", () => {
  const moved = shift(TEXT, { path: ["position", "fighters", 1], form: "spot", model: 0 }, [1.256, -2]);
  expect(moved).toBe(TEXT.replace("x: 10.5, y: 11", "x: 11.76, y: 9"));
});

test("all models of a unit go together, or one alone", () => {
  const handle = { path: ["position", "units", 0], form: "models" as const, model: 1 };
  expect(valueAt(shift(UNITS, handle, [1, 1]), ["position", "units", 0, "models"])).toEqual([[2, 3], [4, 5, 90]]);
  expect(valueAt(shift(UNITS, handle, [1, 1], true), ["position", "units", 0, "models"])).toEqual([[1, 2], [4, 5, 90]]);
});

test("entries and fields come and go, and comments stay", () => {
  const added = addAt(TEXT, ["position", "terrain"], { piece: "tower", x: 1, y: 2 });
  expect(valueAt(added, ["position", "terrain"])).toEqual([{ piece: "tower", x: 1, y: 2 }]);
  expect(added).toContain("# the chief");
  const named = setAt(TEXT, ["position", "round"], 3);
  expect(valueAt(named, ["position", "round"])).toBe(3);
  expect(setAt(named, ["position", "round"], undefined)).toBe(TEXT);
  expect(valueAt(removeAt(TEXT, ["position", "fighters", 0]), ["position", "fighters", 0, "id"])).toBe("b1");
  expect(freeId(TEXT, "a")).toBe("a2");
});

test("an answer stands at the end, and can be taken back", () => {
  const once = withAnswer(TEXT, 0, "wait");
  expect(once).toBe(`${TEXT}answers:\n  - {side: 0, answer: wait}\n`);
  expect(withoutLast(once)).toBe(TEXT);
});

test("what the library has comes down where it is put, in whatever form it stands", () => {
  expect(shifted({ profile: "chief" }, "spot", [15, 6.6], null)).toEqual({ profile: "chief", x: 15, y: 6.6 });
  expect(shifted({ models: [[0, 0], [1.4, 0, 90]] }, "models", [22, 9], null)).toEqual({ models: [[22, 9], [23.4, 9, 90]] });
  expect(shifted({ points: [[-2, -1], [2, -1], [0, 1]] }, "points", [10, 10], null)).toEqual({ points: [[8, 9], [12, 9], [10, 11]] });
  const put = addAt(TEXT, ["position", "fighters"], { id: freeId(TEXT, "b"), side: 1, ...shifted({ profile: "chief" }, "spot", [15, 6.6], null) });
  expect(put).toContain("    - {id: b2, side: 1, profile: chief, x: 15, y: 6.6}\n");
});

test("a profile that is typed in stands in the text as it was written", () => {
  const path = ["position", "fighters", 0, "profile"];
  const typed = setAt(TEXT, path, { move: 4, weapons: [{ attacks: 3 }] });
  expect(valueAt(typed, path)).toEqual({ move: 4, weapons: [{ attacks: 3 }] });
  expect(setAt(typed, path, "")).toBe(TEXT);
});

test("a text that cannot be read is left alone", () => {
  expect(setAt("a: [", ["b"], 1)).toBe("a: [");
});

test("a scene travels in an address", async () => {
  const packed = await pack(TEXT + "标题");
  expect(packed).toMatch(/^[\w-]+$/);
  expect(await unpack(packed)).toBe(TEXT + "标题");
});
