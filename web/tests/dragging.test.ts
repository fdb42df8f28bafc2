/** What a drag costs on the wire: the hand asks the umpire once where it is, and the reply says all that is shown. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Form, FromClient, Move, Picture, Piece, Ruling, View } from "../src/protocol";
import { hand, useDraft } from "../src/table/draft";
import { TableSocket } from "../src/table/socket";
import { leaveScene, showScene } from "../src/table/store";

/** As much of a browser as the table's state looks for. */
vi.hoisted(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
});

const sent: FromClient[] = [];

/** The other end of the wire, which replies when it is told to. */
class Wire {
  static readonly OPEN = 1;
  static last: Wire;
  readyState = Wire.OPEN;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor() {
    Wire.last = this;
  }
  send(data: string): void {
    sent.push(JSON.parse(data) as FromClient);
  }
  close(): void {}
  reply(message: object): Promise<void> {
    this.onmessage?.({ data: JSON.stringify(message) });
    return settled();
  }
}

const settled = () => new Promise<void>((done) => setTimeout(done));
const piece: Piece = {
  id: "a", unit: "a", side: 0, x: 5, y: 5, z: 0, facing: 0, height: 1, icon: "", models: 1, wounds: null, wounds_max: null, figure: "foot",
  shape: { kind: "round", width: 1, depth: 1, points: [] },
};
const picture = {
  width: 30, depth: 22, pieces: [piece], terrain: [], markers: [], zones: [], cards: [], track: [], score: [], pools: [], scenario: null, goal: [], ground: "felt", homes: [0, 180], phases: [], turn: null,
} satisfies Picture;
const form: Form = {
  ways: ["to", "path", "stay"], pieces: ["a"], limit: 6, degrees: null, manners: [], start: { x: 5, y: 5, z: 0 }, facing: false, files: null, edges: [], shapes: {}, coherency: null,
};
const move: Move = { kind: "move", side: 0, prompt: { zh: "", en: "" }, rules: [], about: "a", form, hand: { stands: {}, lead: null } };
const view = { side: 0, answers: 3, decisions: [move], events: [], picture, table: { id: "t", fairness: null } } as unknown as View;
const ruled = (more: Partial<Ruling>) => ({
  legal: true, reasons: [], nearest: null, path: { a: [] }, cost: 2, stands: { a: { x: 8, y: 5, z: 0, facing: 0 } }, lead: { x: 8, y: 5, z: 0 }, spelt: null, odds: null, seen_by: [], ...more,
});
const types = () => sent.map((message) => message.type);
const checks = () => sent.filter((message) => message.type === "check");
const rule = (at: number, more: Partial<Ruling> = {}) => Wire.last.reply({ type: "ruling", id: checks()[at]!.id, ruling: ruled(more) });

let link: TableSocket;
beforeEach(async () => {
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("document", { hidden: false, documentElement: { dataset: {} } });
  link = new TableSocket("ws://table", {}, () => {}, () => {});
  showScene(link, view);
  await settled();
  sent.length = 0; // the question has come, and with it where the piece can get to
});
afterEach(() => {
  leaveScene(link);
});

it("asks once where the hand is: the ruling brings its way, what it costs, its odds and the nearest legal place", async () => {
  hand.sendTo({ x: 8, y: 5 });
  expect(types()).toEqual(["check"]);
  await rule(0, { odds: { title: { zh: "", en: "" }, lines: [], dists: {} } });
  expect(types()).toEqual(["check"]);
  expect(useDraft.getState()).toMatchObject({ good: { to: { x: 8, y: 5 } }, checking: false, odds: { lines: [] } });
  hand.drop();
  expect(types()).toEqual(["check", "answer"]);
});

it("has one question on its way however fast the hand goes on, and asks of the places between nothing", async () => {
  for (const x of [6, 7, 8, 9, 10]) hand.sendTo({ x, y: 5 });
  expect(types()).toEqual(["check"]);
  hand.drop();
  await rule(0);
  expect(checks().map((message) => message.answer)).toEqual([{ to: { x: 6, y: 5, z: 0 } }, { to: { x: 10, y: 5, z: 0 } }]);
  await rule(1);
  expect(types()).toEqual(["check", "check", "answer"]);
});

it("shows the furthest legal place without asking for it", async () => {
  hand.sendTo({ x: 20, y: 5 });
  await rule(0, { legal: false, nearest: { to: { x: 11, y: 5 } }, lead: { x: 11, y: 5, z: 0 } });
  expect(types()).toEqual(["check"]);
  expect(useDraft.getState().good).toEqual({ to: { x: 11, y: 5 } });
});
