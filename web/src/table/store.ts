/** The table as this browser shows it: results come one by one, then the picture, then the next question. */
import { create } from "zustand";
import type { Card, Chat, Decision, FromServer, GameEvent, Json, Ruling, Side, TableInfo, Text, View } from "../protocol";
import { api } from "../api";
import { useSettings } from "../settings";
import { luckOf, type Orders } from "../server";
import { drawLuck, noteHashes, stakeOf, verdict, type Verdict } from "./fairness";
import { sha256 } from "./sha256";
import { Refusal, TableSocket } from "./socket";
import { tried } from "./tries";
import { forget } from "./usual";

/** A piece that lost (or regained) wounds, or fell (`by` null), and where. */
export interface Hurt {
  id: string;
  x: number;
  y: number;
  z: number;
  by: number | null;
}

interface TableState {
  status: "joining" | "open" | "lost" | "none";
  /** What is shown now; while results are being shown, the view before them. */
  view: View | null;
  log: GameEvent[];
  roll: GameEvent | null;
  /** Results are still being shown; no question is put meanwhile. */
  showing: boolean;
  /** The result that is being shown. */
  current: GameEvent | null;
  /** What pieces have just lost or regained. */
  hurts: Hurt[];
  /** What has happened since this side last decided, to be stepped through; `recap` is the step that is looked at. */
  recent: View[];
  recap: number | null;
  chat: Chat[];
  notice: Text | null;
  refusal: Ruling | null;
}

const empty: TableState = {
  status: "joining",
  view: null,
  log: [],
  roll: null,
  showing: false,
  current: null,
  hurts: [],
  recent: [],
  recap: null,
  chat: [],
  notice: null,
  refusal: null,
};

export const useTable = create<TableState>(() => empty);

const { setState: set, getState: get } = useTable;

export const PACE = { roll: 900, event: 160, scene: 520, move: 420, hurt: 900 };
/** How many times faster than at ease results are shown. */
export const SPEEDS = { calm: 0.6, normal: 1, quick: 2.2 } as const;
const RECENT = 60;

/** What answers and questions go to: the umpire at a table, or in the lab. */
export type Link = Pick<TableSocket, "send" | "tell" | "ask" | "close">;
/** The table of a scene that somebody sets up: nobody else sits at it, and nothing is answered by itself. */
export const LAB = "lab";

let socket: Link | null = null;
let seat: { table: string; token: string } | null = null;
let queue: View[] = [];
let running = false;
let hurried = false;
let wake: (() => void) | null = null;
let generation = 0;
/** The last answer given, until the umpire has said something to it: a connection may be lost on the way. */
let given: { n: number; answer: Json } | null = null;
/** The view of now, while an earlier one is looked at. */
let kept: View | null = null;

export function join(table: string, token: string): () => void {
  leave();
  const mine = generation;
  seat = { table, token };
  void stake(table, token).then((luck) => {
    if (mine !== generation) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const url = `${scheme}://${location.host}/ws/${encodeURIComponent(table)}`;
    const first = { type: "join", token, hash: luck && sha256(luck) };
    socket = new TableSocket(url, first, hear, (status) => set({ status }));
  });
  return leave;
}

/** Everybody has come and has committed to their luck: tell ours. A seat whose luck is in another browser says so. */
function tellLuck(table: TableInfo, side: Side | null): void {
  const fairness = luckOf(table);
  if (!seat || side === null || !fairness?.owing?.includes(side)) return;
  const luck = stakeOf(seat.table, seat.token)?.luck;
  if (luck && sha256(luck) === fairness.hashes[side]) {
    noteHashes(seat.table, seat.token, fairness.hashes);
    return socket?.send({ type: "luck", luck });
  }
  clearTimeout(lost);
  lost = setTimeout(() => {
    const now = get().view;
    if (now && luckOf(now.table)?.owing.includes(side)) socket?.send({ type: "luck", luck: null });
  }, ELSEWHERE);
}

/** So long a seat waits for its other browser to tell the luck, in milliseconds. */
const ELSEWHERE = 15_000;
let lost: ReturnType<typeof setTimeout> | undefined;

/** This seat's luck. It is told only after the server has committed to its secret, or the secret could be made to fit. */
async function stake(table: string, token: string): Promise<string> {
  const known = stakeOf(table, token);
  if (known) return known.luck;
  try {
    const { started, fairness } = await api.summary(table);
    return started ? "" : drawLuck(table, token, fairness.commitment).luck;
  } catch {
    return ""; // the socket will say what is wrong with this table
  }
}

/** Were this table's dice fair? Null before the end. */
export function diceVerdict(view: View | null): Verdict | null {
  return view && seat ? verdict(view.table.fairness, view.side, stakeOf(seat.table, seat.token)) : null;
}

function leave(): void {
  socket?.close();
  socket = null;
  seat = null;
  given = null;
  overtaken = null;
  useOrders.setState({ orders: {} });
  reset();
  set(empty);
}

/** Give an answer again that was lost on the way; the umpire knows by its number whether it came too late. */
function giveAgain(view: View): void {
  const lost = given;
  given = null;
  if (lost && lost.n === view.answers && view.decisions.length) say.answer(lost.answer);
}

function reset(): void {
  generation++;
  queue = [];
  running = false;
  hurry();
  hurried = false;
}

/** This seat's standing orders, as the server keeps them. */
export const useOrders = create<{ orders: Orders }>(() => ({ orders: {} }));

function hear(message: FromServer | { type: "orders"; orders: Orders }): void {
  switch (message.type) {
    case "view":
      reset();
      set({ view: message.view, log: message.view.events, roll: null, showing: false, refusal: null, current: null, hurts: [], recent: [], recap: null });
      tellLuck(message.view.table, message.view.side);
      giveAgain(message.view);
      afterAll();
      break;
    case "update":
      given = null;
      if (get().recap !== null) recapAt(null);
      queue.push(message.view);
      void run();
      break;
    case "table":
      retable(message.table);
      tellLuck(message.table, get().view?.side ?? null);
      break;
    case "chat": {
      const { type: _, ...line } = message;
      set((s) => ({ chat: [...s.chat.filter((c) => c.n !== line.n), line].sort((a, b) => a.n - b.n) }));
      break;
    }
    case "orders":
      useOrders.setState({ orders: message.orders });
      break;
    case "ruling":
      given = null;
      set({ refusal: message.ruling });
      break;
    case "error":
      if (message.code === "stale" && given) overtaken = { ...given, ask: JSON.stringify(get().view?.decisions[0]) };
      else set({ notice: message.text });
      given = null;
      afterAll();
      break;
  }
}

/** An answer that came after another's, where both sides choose at once: it is given again if the same is still asked. */
let overtaken: { n: number; answer: Json; ask: string } | null = null;

function afterAll(): void {
  const ask = question(get());
  if (!overtaken || !ask || n() === overtaken.n) return;
  const { answer, ask: before } = overtaken;
  overtaken = null;
  if (JSON.stringify(ask) === before) say.answer(answer);
}

function retable(table: TableInfo): void {
  if (kept) kept = { ...kept, table };
  queue = queue.map((view) => ({ ...view, table }));
  set((s) => ({ view: s.view && { ...s.view, table } }));
}

/** Show the waiting results in order. */
async function run(): Promise<void> {
  if (running) return;
  running = true;
  const mine = generation;
  set({ showing: true });
  for (let view = queue.shift(); view; view = queue.shift()) {
    await present(view, mine);
    if (mine !== generation) return;
  }
  running = false;
  hurried = false;
  set({ showing: false, current: null });
  afterAll();
}

async function present(view: View, mine: number): Promise<void> {
  for (const event of view.events) {
    set((s) => ({ log: [...s.log, event], roll: event.roll ? event : s.roll, current: event }));
    await pause((event.roll ? PACE.roll : spoken(event, get().view).length > 1 ? PACE.scene : PACE.event) / haste());
    if (mine !== generation) return;
  }
  const before = get().view;
  const hurts = before ? harm(before, view) : [];
  const recent = before?.decisions.length ? [before, view] : [...get().recent, view];
  set({ view, refusal: null, hurts, recent: recent.slice(-RECENT) });
  if (hurts.length) await pause(PACE.hurt / haste());
  else if (before && moved(before, view)) await pause(PACE.move / haste());
}

/** The units that a result speaks of, in its order: who acts first, then on whom. */
export function spoken(event: GameEvent | null, view: View | null): string[] {
  if (!event || !view) return [];
  const unit = new Map(view.picture.cards.flatMap((c) => [c.id, ...c.pieces].map((id) => [id, c.id] as const)));
  const said = [event.roll?.who, ...Object.values(event.facts ?? {})].flat();
  return [...new Set(said.flatMap((word) => (typeof word === "string" && unit.has(word) ? [unit.get(word)!] : [])))];
}

/** What changed on each piece: wounds lost or healed, and those that are gone. */
export function harm(before: View, after: View): Hurt[] {
  const now = new Map(after.picture.pieces.map((p) => [p.id, p]));
  const away = new Set(after.picture.cards.filter((c) => c.away).map((c) => c.id));
  return before.picture.pieces.flatMap((p): Hurt[] => {
    const still = now.get(p.id);
    const at = { id: p.id, x: p.x, y: p.y, z: p.z + p.height };
    if (!still) return away.has(p.unit) ? [] : [{ ...at, by: null }];
    const by = (still.wounds ?? 0) - (p.wounds ?? 0);
    return by ? [{ ...at, by }] : [];
  });
}

/** Much that waits is shown faster. */
const haste = () => (1 + queue.length * 0.4) * SPEEDS[useSettings.getState().pace];

function moved(a: View, b: View): boolean {
  const at = new Map(a.picture.pieces.map((p) => [p.id, p]));
  return b.picture.pieces.some((p) => {
    const old = at.get(p.id);
    return !old || old.x !== p.x || old.y !== p.y || old.z !== p.z || old.facing !== p.facing;
  });
}

function pause(ms: number): Promise<void> {
  if (hurried || !useSettings.getState().animate || document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      wake = null;
      done();
    }
    wake = finish;
  });
}

/** Show everything that is waiting at once. */
export function hurry(): void {
  if (running) hurried = true;
  wake?.();
}

/** Look back at a step of what has happened since one last decided; null: come back to now. */
export function recapAt(step: number | null): void {
  const { recent, recap, showing, view } = get();
  if (showing || !recent.length) return;
  if (recap === null && step !== null) kept = view;
  if (step === null) set({ recap: null, ...(kept ? { view: kept } : {}), hurts: [] });
  else {
    const at = Math.max(0, Math.min(recent.length - 1, step));
    set({ recap: at, view: recent[at]!, hurts: at > 0 ? harm(recent[at - 1]!, recent[at]!) : [] });
  }
}

export function question(state: TableState): Decision | null {
  return state.showing || state.recap !== null ? null : (state.view?.decisions[0] ?? null);
}

/** Whoever a question is about is still at it, though the rules may have counted the deed already. */
export const acts = (card: Card, ask: Decision | null): boolean => !!ask && (ask.about === card.id || card.pieces.includes(ask.about));

const n = () => get().view?.answers ?? 0;

export const say = {
  answer: (answer: Json) => {
    if (given?.n === n()) return; // one answer to a question is enough
    forget();
    set({ refusal: null, roll: null });
    given = { n: n(), answer };
    tried(get().view?.table.id ?? "", question(get()), answer);
    socket?.tell({ type: "answer", ...given });
  },
  /** What the umpire thinks of an answer, now or after others have been given `first`. */
  check: (answer: Json, first: Json[] = []) =>
    asked((s) => s.ask({ type: "check", n: n(), answer, ...(first.length ? { first } : {}) }, "ruling").then((m) => m.ruling)),
  ahead: () => asked((s) => s.ask({ type: "ahead", n: n() }, "ahead").then((m) => m.ahead)),
  reach: () => asked((s) => s.ask({ type: "reach", n: n() }, "reach").then((m) => m.regions)),
  suggest: () => asked((s) => s.ask({ type: "suggest", n: n() }, "suggestion").then((m) => m.answer)),
  hint: () => asked((s) => s.ask({ type: "hint", n: n() }, "hint")),
  measure: (from: Extract<Parameters<TableSocket["ask"]>[0], { type: "measure" }>["from"], to: typeof from) =>
    asked((s) => s.ask({ type: "measure", from, to }, "measured")),
  undo: () => socket?.send({ type: "undo", n: n() }),
  takeback: (accept?: boolean) => socket?.send({ type: "takeback", ...(accept === undefined ? {} : { accept }) }),
  resign: () => socket?.send({ type: "resign" }),
  chat: (text: string) => socket?.send({ type: "chat", text }),
  name: (name: string) => socket?.send({ type: "name", name }),
  orders: (orders: Orders) => socket?.send({ type: "orders", orders }),
};

/** Null where the server could not say: previews are a help, and their absence is no error. */
async function asked<T>(question: (socket: Link) => Promise<T>): Promise<T | null> {
  if (!socket) return null;
  try {
    return await question(socket);
  } catch (error) {
    if (error instanceof Refusal && error.code !== "stale" && error.code !== "not-asked") set({ notice: error.text });
    return null;
  }
}

/** Why something that is not offered may not be chosen. */
export async function askWhyNot(wish: Json): Promise<void> {
  const ruling = await say.check(wish);
  if (ruling && !ruling.legal) set({ refusal: ruling });
}

/** A replay shows frames on the same table, without a server behind it. */
export function showFrame(view: View, log: GameEvent[], roll: GameEvent | null): void {
  set({ ...empty, status: "open", view, log, roll });
}

/** This moment as a scene, as far as this seat may know it. */
export const sceneNow = (): Promise<string> | null => (seat ? api.sceneOf(seat.table, seat.token) : null);

/** The lab shows a position on the same table; its link answers for the umpire. */
export function showScene(link: Link, view: View): void {
  if (socket !== link) leave();
  reset();
  socket = link;
  set((s) => ({ ...empty, status: "open", view, log: view.events, notice: s.notice }));
}

/** What came of an answer in the lab is shown as at any table. */
export const showMore = (view: View): void => hear({ type: "update", view });

export const leaveScene = (link: Link): void => void (socket === link && leave());

export const notify = (notice: Text) => set({ notice });
export const clearNotice = () => set({ notice: null });
export const clearRefusal = () => set({ refusal: null });
