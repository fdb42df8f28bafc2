import { describe, expect, it } from "vitest";
import type { Move, Moved, Picture, Piece, Place } from "../src/protocol";
import { addWaypoint, answerOf, arrives, begin, dropLeg, goalOf, legsOf, nudge, sendTo, setHow, spotsAfter, turn, ways } from "../src/table/moving";

const piece = (id: string, x: number, y: number, unit = id): Piece => ({
  id, unit, side: 0, x, y, z: 0, facing: 0, height: 1, icon: "", models: 1, wounds: null, wounds_max: null, figure: "foot",
  shape: { kind: "round", width: 1, depth: 1, points: [] },
});
const picture = (...pieces: Piece[]): Picture => ({
  width: 30, depth: 22, pieces, terrain: [], markers: [], zones: [], cards: [], track: [], score: [], pools: [], scenario: null, goal: [], ground: "felt", homes: [0, 180],
});
const prompt = { zh: "", en: "" };
const move = (about: string, more: Partial<Move> = {}): Move => ({ kind: "move", side: 0, prompt, rules: [], about, ...more });

describe("a single model", () => {
  const table = picture(piece("a", 5, 5));

  it("goes where it is sent, as a path", () => {
    const draft = sendTo(begin(move("a"), table, null), { x: 8, y: 5, z: 0 });
    expect(answerOf(draft)).toEqual({ path: [{ x: 8, y: 5 }] });
  });

  it("passes its waypoints in order", () => {
    let draft = sendTo(begin(move("a"), table, null), { x: 8, y: 5 });
    draft = sendTo(addWaypoint(draft), { x: 8, y: 9 });
    expect(answerOf(draft)).toEqual({ path: [{ x: 8, y: 5 }, { x: 8, y: 9 }] });
    expect(ways(draft, answerOf(draft), null)[0]!.map((p) => [p.x, p.y])).toEqual([[5, 5], [8, 5], [8, 9]]);
  });

  it("says its facing only once it was turned", () => {
    const draft = turn(nudge(begin(move("a"), table, null), 1, 0), -15);
    expect(answerOf(draft)).toEqual({ path: [{ x: 6, y: 5, facing: 345 }] });
  });

  it("says its height where it leaves the ground", () => {
    expect(answerOf(sendTo(begin(move("a"), table, null), { x: 6, y: 6, z: 3 }))).toEqual({ path: [{ x: 6, y: 6, z: 3 }] });
  });

  it("stays where an empty path leaves it", () => {
    const draft = begin(move("a"), table, null);
    expect(spotsAfter(draft, { path: [] })).toEqual({ a: { x: 5, y: 5, z: 0, facing: 0 } });
  });

  it("knows a detour that ends where it was sent", () => {
    const draft = begin(move("a"), table, null);
    const wish = { path: [{ x: 8, y: 8 }] };
    expect(arrives(draft, { path: [{ x: 5, y: 8 }, { x: 8, y: 8 }] }, wish)).toBe(true);
    expect(arrives(draft, { path: [{ x: 7, y: 7 }] }, wish)).toBe(false);
  });
});

describe("legs by hand", () => {
  const table = picture(piece("a", 5, 5));
  const hows = ["walk", "jump", "climb"].map((id) => ({ id, label: prompt }));
  const start = begin(move("a", { data: { hows, limit: 6 } }), table, null);

  it("say how they are made, and at what height they end", () => {
    expect(answerOf(sendTo(setHow(start, "jump"), { x: 7, y: 5, z: 0 }))).toEqual({ path: [{ how: "jump", x: 7, y: 5, z: 0 }] });
    expect(goalOf(sendTo(setHow(start, "jump"), { x: 7, y: 5 }))).toBeNull();
  });

  it("climb straight up before they go across, and across before they go straight down", () => {
    const up = sendTo(setHow(start, "climb"), { x: 5, y: 6, z: 3 });
    expect(answerOf(up)).toEqual({ path: [{ how: "climb", x: 5, y: 5, z: 3 }, { how: "climb", x: 5, y: 6, z: 3 }] });
    const down = sendTo(setHow(addWaypoint(up), "climb"), { x: 5, y: 8, z: 0 });
    expect((answerOf(down) as Moved).path!.slice(2)).toEqual([{ how: "climb", x: 5, y: 8, z: 3 }, { how: "climb", x: 5, y: 8, z: 0 }]);
  });

  it("go on from where the umpire let the last one end", () => {
    const cut = addWaypoint(sendTo(start, { x: 9, y: 5 }), [{ how: "walk", x: 7, y: 5 }]);
    expect(cut.lead).toMatchObject({ x: 7, y: 5 });
    expect(answerOf(cut)).toEqual({ path: [{ how: "walk", x: 7, y: 5 }] });
    expect(answerOf(setHow(nudge(cut, 0, 1), "walk", 0))).toEqual({ path: [{ how: "walk", x: 7, y: 5, z: undefined }, { x: 7, y: 6 }] });
  });

  it("are taken back one by one", () => {
    const two = nudge(addWaypoint(sendTo(start, { x: 8, y: 5 })), 0, 1);
    expect(answerOf(dropLeg(two))).toEqual({ path: [{ x: 8, y: 5 }] });
    expect(answerOf(dropLeg(dropLeg(two)))).toEqual({ path: [{ x: 5, y: 5 }] });
  });

  it("are shown as the umpire has found them", () => {
    const path = { a: [{ x: 7, y: 5, how: "jump", drop: 2, cost: 2 }, { x: 8, y: 5, how: "walk", cost: 1 }] };
    const way = ways(start, { to: { x: 8, y: 5 } }, { legal: true, reasons: [], nearest: null, path })[0]!;
    expect(way.map((spot) => [spot.z, spot.cost])).toEqual([[0, 0], [2, 2], [0, 0], [0, 1]]);
    expect(legsOf(way)).toEqual([{ how: "jump", x: 7, y: 5, z: 0 }, { how: "walk", x: 8, y: 5, z: 0 }]);
  });
});

describe("a unit", () => {
  const table = picture(piece("a", 4, 5, "u"), piece("b", 6, 5, "u"));
  const ask = move("u", { default: { models: { a: { x: 4, y: 5 }, b: { x: 6, y: 5 } } } });

  it("moves together", () => {
    const draft = sendTo(begin(ask, table, null), { x: 10, y: 5 });
    expect(answerOf(draft)).toEqual({ models: { a: { x: 9, y: 5 }, b: { x: 11, y: 5 } } });
  });

  it("lets one model go alone", () => {
    const draft = sendTo(begin(ask, table, null), { x: 4, y: 7 }, "a", true);
    expect(answerOf(draft)).toEqual({ models: { a: { x: 4, y: 7 }, b: { x: 6, y: 5 } } });
  });

  it("wheels about its middle, clockwise", () => {
    const { spots } = turn(begin(ask, table, null), 90);
    expect(spots.a).toMatchObject({ x: 5, y: 6, facing: 90 });
    expect(spots.b).toMatchObject({ x: 5, y: 4 });
  });
});

describe("placing", () => {
  const ask: Place = { kind: "place", side: 0, prompt, rules: [], about: "n" };

  it("starts from the suggestion, and writes as it is written", () => {
    const draft = begin(ask, picture(), { models: { n: { x: 3, y: 2, z: 0 } } });
    expect(answerOf(draft)).toEqual({ models: { n: { x: 3, y: 2, z: 0 } } });
    expect(answerOf(nudge(draft, 0.5, 0))).toEqual({ models: { n: { x: 3.5, y: 2, z: 0 } } });
  });

  it("writes a single spot where the game does", () => {
    expect(answerOf(sendTo(begin(ask, picture(), { x: 3, y: 2 }), { x: 1, y: 1 }))).toEqual({ x: 1, y: 1 });
  });
});
