import { describe, expect, it } from "vitest";
import type { Form, Hand, Move, Moved, Picture, Piece, Place, Ruling } from "../src/protocol";
import { addWaypoint, answerOf, begin, drill, dropLeg, newPieces, nudge, sendTo, setHow, spelt, standsBy, stood, turn, ways, widen } from "../src/table/moving";

const piece = (id: string, x: number, y: number, unit = id): Piece => ({
  id, unit, side: 0, x, y, z: 0, facing: 0, height: 1, icon: "", models: 1, wounds: null, wounds_max: null, figure: "foot",
  shape: { kind: "round", width: 1, depth: 1, points: [] },
});
const picture = (...pieces: Piece[]): Picture => ({
  width: 30, depth: 22, pieces, terrain: [], markers: [], zones: [], cards: [], track: [], score: [], pools: [], scenario: null, goal: [], ground: "felt", homes: [0, 180], phases: [], turn: null,
});
const prompt = { zh: "", en: "" };
const form = (pieces: string[], ways: Form["ways"], more: Partial<Form> = {}): Form => ({
  ways, pieces, limit: null, degrees: null, manners: [], start: null, facing: false, files: null, edges: [], shapes: {}, coherency: null, ...more,
});
const asked = { side: 0, prompt, rules: [] };
const move = (about: string, how: Form, more: Partial<Move> = {}): Move => ({ kind: "move", ...asked, about, form: how, hand: { stands: {}, lead: null }, ...more });
const place = (about: string, how: Form, hand: Hand, more: Partial<Place> = {}): Place => ({ kind: "place", ...asked, about, form: how, hand, ...more });
const ruling = (more: Partial<Ruling>): Ruling => ({ legal: true, reasons: [], nearest: null, path: {}, cost: 0, stands: {}, lead: null, spelt: null, odds: null, seen_by: [], ...more });
const manner = (id: string, more = {}) => ({ id, label: prompt, by: "place" as const, price: 0, towards: null, ...more });

describe("a single model", () => {
  const table = picture(piece("a", 5, 5));
  const start = begin(move("a", form(["a"], ["to", "path", "stay"], { start: { x: 5, y: 5, z: 0 }, manners: ["walk", "jump"].map((id) => manner(id)) })), table);

  it("is sent to a goal, by whatever way the umpire finds", () => {
    expect(answerOf(sendTo(start, { x: 8, y: 5, z: 3 }))).toEqual({ to: { x: 8, y: 5, z: 3 } });
  });

  it("passes its waypoints in order", () => {
    let draft = addWaypoint(sendTo(start, { x: 8, y: 5 }), [{ how: "walk", x: 8, y: 5 }]);
    draft = sendTo(draft, { x: 8, y: 9 });
    expect(answerOf(draft)).toEqual({ path: [{ how: "walk", x: 8, y: 5 }, { x: 8, y: 9 }] });
  });

  it("says how a leg by hand is made, and at what height it ends", () => {
    expect(answerOf(sendTo(setHow(start, "jump"), { x: 7, y: 5, z: 0 }))).toEqual({ path: [{ how: "jump", x: 7, y: 5, z: 0 }] });
  });

  it("changes the manner of a leg that was drawn before", () => {
    const cut = addWaypoint(sendTo(start, { x: 9, y: 5 }), [{ how: "walk", x: 7, y: 5 }]);
    expect(answerOf(setHow(nudge(cut, 0, 1), "jump", 0))).toEqual({ path: [{ how: "jump", x: 7, y: 5 }, { x: 7, y: 6 }] });
  });

  it("takes legs back one by one", () => {
    const two = nudge(addWaypoint(sendTo(start, { x: 8, y: 5 }), [{ x: 8, y: 5 }]), 0, 1);
    expect(answerOf(dropLeg(two))).toEqual({ path: [{ x: 8, y: 5 }] });
    expect(answerOf(dropLeg(dropLeg(two)))).toEqual({ to: { x: 5, y: 5, z: 0 } });
  });

  it("shows the way that the umpire has found", () => {
    const path = { a: [{ x: 7, y: 5, how: "jump", drop: 2, cost: 2 }, { x: 8, y: 5, how: "walk", cost: 1 }] };
    expect(ways(start, ruling({ path }))[0]!.map((spot) => [spot.z, spot.cost])).toEqual([[0, 0], [2, 2], [0, 0], [0, 1]]);
  });
});

describe("a loose unit", () => {
  const table = picture(piece("a", 4, 5, "u"), piece("b", 6, 5, "u"));
  const start = begin(move("u", form(["a", "b"], ["to", "models", "stay"], { start: { x: 5, y: 5 }, facing: true }), { hand: { stands: {}, lead: { x: 5, y: 5 } } }), table);

  it("goes as one body, held by any of its models", () => {
    const draft = sendTo(start, { x: 9, y: 7 }, "a");
    expect(answerOf(draft)).toEqual({ to: { x: 10, y: 7 } });
    expect(draft.spots.b).toMatchObject({ x: 11, y: 7 });
  });

  it("lets one model go alone", () => {
    expect(answerOf(sendTo(start, { x: 4, y: 7 }, "a", true))).toEqual({ models: { a: { x: 4, y: 7 }, b: { x: 6, y: 5 } } });
  });

  it("says its facing only once it was turned", () => {
    const draft = turn(start, 90);
    expect(answerOf(draft)).toEqual({ to: { x: 5, y: 5, facing: 90 } });
    expect(draft.spots.a).toMatchObject({ x: 5, y: 6, facing: 90 });
  });

  it("stands where the umpire says that it would", () => {
    const said = ruling({ legal: false, stands: { a: { x: 4.5, y: 5 } } });
    expect(standsBy(start, said)).toMatchObject({ a: { x: 4.5, y: 5 }, b: { x: 6, y: 5 } });
  });
});

describe("a block", () => {
  const table = picture(piece("s1", 9, 9, "r"), piece("s2", 11, 9, "r"));
  const manners = [manner("ahead", { by: "inches", towards: 0 }), manner("swing", { by: "degrees", price: 0.05 })];
  const ask = move("r", form(["s1", "s2"], ["to", "path", "stay"], { manners, facing: true }), { hand: { stands: {}, lead: { x: 10, y: 10, facing: 0 } } });

  it("is carried to a goal, or drilled by the manoeuvres that the question names", () => {
    expect(answerOf(sendTo(begin(ask, table), { x: 10, y: 14 }))).toEqual({ to: { x: 10, y: 14 } });
    expect(answerOf(turn(nudge(begin(ask, table), 0, 0.5), -15))).toEqual({ path: [{ how: "ahead", inches: 0.5 }, { how: "swing", degrees: -15 }] });
  });

  it("goes on by manoeuvres from where it was carried, and stands where the umpire says", () => {
    const said = ruling({ spelt: { path: [{ how: "ahead", inches: 4 }] }, stands: { s1: { x: 9, y: 13 } }, lead: { x: 10, y: 14, facing: 0 } });
    const on = drill(spelt(sendTo(begin(ask, table), { x: 10, y: 14 }), said), "ahead", 1);
    expect(answerOf(on)).toEqual({ path: [{ how: "ahead", inches: 5 }] });
    expect(stood(on, said).spots.s1).toMatchObject({ x: 9, y: 13 });
  });

  it("comes on by the edge that the umpire names", () => {
    const usual: Moved = { edge: "south", at: 10, files: 2, path: [{ how: "ahead", inches: 5 }] };
    const entering = begin({ ...ask, default: usual, form: { ...ask.form, edges: ["south"], files: [1, 2] } }, table);
    expect(answerOf(entering)).toEqual(usual);
    const there = sendTo(entering, { x: 12, y: 3 });
    expect(answerOf(there)).toEqual({ to: { x: 12, y: 3 }, files: 2 });
    expect(answerOf(spelt(widen(there, -1), ruling({ spelt: { edge: "south", at: 12, files: 1, path: [{ how: "ahead", inches: 3 }] } })))).toEqual({ edge: "south", at: 12, files: 1, path: [{ how: "ahead", inches: 3 }] });
  });
});

describe("placing", () => {
  const held = { shape: { kind: "round" as const, width: 1, depth: 1, points: [] }, height: 1.5, icon: "x", figure: "horse" };

  it("begins where the pieces would usually stand, and writes every model where that is asked for", () => {
    const ask = place("n", form(["n", "m"], ["models"], { shapes: { n: held, m: held } }), { stands: { n: { x: 3, y: 2 }, m: { x: 5, y: 2 } }, lead: { x: 4, y: 2 } });
    const draft = nudge(begin(ask, picture()), 0.5, 0);
    expect(answerOf(draft)).toEqual({ models: { n: { x: 3.5, y: 2 }, m: { x: 5.5, y: 2 } } });
    expect(newPieces(ask, draft, picture()).map((p) => [p.id, p.x, p.figure])).toEqual([["n", 3.5, "horse"], ["m", 5.5, "horse"]]);
  });

  it("writes one spot with its files and facing where a block is formed", () => {
    const ask = place("r", form(["s"], ["spot"], { facing: true, files: [1, 4] }), { stands: { s: { x: 3, y: 2 } }, lead: { x: 3, y: 2, facing: 90 } }, { default: { x: 3, y: 2, facing: 90, files: 3 } });
    expect(answerOf(widen(begin(ask, picture()), 5))).toEqual({ x: 3, y: 2, facing: 90, files: 4 });
  });
});
