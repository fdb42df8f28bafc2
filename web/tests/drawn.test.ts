import { expect, it, vi } from "vitest";
import type { Decision, Picture, Piece } from "../src/protocol";

vi.mock("../src/table/draft", () => ({ useDraft: () => ({}) }));
const { standing } = await import("../src/board/drawn");

const stand = (id: string, x: number): Piece => ({ id, unit: "r1", side: 0, x, y: 10, z: 0, facing: 0, shape: { kind: "rect", width: 2, depth: 2 } }) as unknown as Piece;
const picture = { pieces: [stand("s1", 9), stand("s2", 11), { ...stand("o", 30), unit: "r2" }] } as unknown as Picture;
const asked = (more: object) => ({ kind: "choose", about: "r1", options: [{ id: "0", label: { zh: "", en: "" }, ...more }] }) as unknown as Decision;

it("a choice that says where pieces would stand shows them there", () => {
  const drawn = standing(picture, asked({ stands: { s1: { x: 19, y: 16, facing: 90 }, s2: { x: 19, y: 14, facing: 90 } } }), 0)!;
  const at = Object.fromEntries(drawn.pieces.map((p) => [p.id, [p.x, p.y, p.facing]]));
  expect(at).toEqual({ s1: [19, 16, 90], s2: [19, 14, 90], o: [30, 10, 0] });
  expect(drawn.ghosts.map((ghost) => ghost.spot.x)).toEqual([9, 11]);
});

it("other choices leave everything where it is", () => {
  expect(standing(picture, asked({ data: { attunement: 3 } }), 0)).toBeNull();
});
