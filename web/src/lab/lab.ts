/** The lab: the text of a scene is the truth; the table, the rulings and the marks beside the lines are made from it. */
import { create } from "zustand";
import { ApiError, api } from "../api";
import type { FromServer, Handle, Json, Lab, LabGame, LabUse, Puzzle, PuzzleHead, TableInfo, Text, View, Wished } from "../protocol";
import { arranging } from "../table/arranging";
import { LAB, leaveScene, showMore, showScene, useTable, type Link } from "../table/store";
import { Refusal } from "../table/socket";
import { shift, withAnswer, withoutLast } from "./scene";

interface LabState {
  text: string;
  /** What came of the text, or of the last one that could be read. */
  found: Lab | null;
  busy: boolean;
  problem: Text | null;
  /** The address holds no scene that could be read. */
  broken: boolean;
  game: LabGame | null;
  puzzles: PuzzleHead[];
  puzzle: Puzzle | null;
  /** The umpire's word on the puzzle may be seen. */
  solved: boolean;
  /** Pieces are put where the hand leaves them; else they are moved as the rules allow. */
  arranging: boolean;
  before: string[];
  tab: "puzzles" | "set-up" | "ask" | "log";
}

const empty: LabState = {
  text: "", found: null, busy: false, problem: null, broken: false, game: null, puzzles: [], puzzle: null, solved: false, arranging: false, before: [], tab: "puzzles",
};

export const useLab = create<LabState>(() => empty);
const { setState: set, getState: get } = useLab;
const KEPT = "umpire.lab";
const PATIENCE = 500;
const STEPS = 100;

const tableOf = (game: string, names: Text): TableInfo => ({
  id: LAB, game, names, guide: false, started: true, watchers: 0, takeback: null, over: false, stopped: null, clock: null, fairness: null,
  seats: [0, 1].map((side) => ({ side, kind: "person", name: null, army: null, level: null, connected: true })),
});

const link: Link = {
  send: (message) => message.type === "undo" && lab.back(),
  tell: (message) => {
    if (message.type === "answer") lab.answer(message.answer);
    return 0;
  },
  ask: async (message, _answer) => {
    if (message.type === "hint") throw new Refusal("not-asked", { zh: "", en: "" });
    const { text } = get();
    const side = useTable.getState().view?.decisions[0]?.side ?? null;
    const { n: _, ...question } = { n: 0, ...message };
    try {
      return { id: 0, ...(await api.labAsk<object>(text, question, message.type === "measure" ? null : side)) } as Extract<FromServer, { type: typeof _answer }>;
    } catch (error) {
      if (error instanceof ApiError) throw new Refusal("refused", error.text);
      throw error;
    }
  },
  close: () => undefined,
};

let turn = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Have the text carried out, and show what comes of it. An answer that was added is shown as a step of the battle. */
async function carryOut(step: boolean): Promise<void> {
  const mine = ++turn;
  const { text } = get();
  set({ busy: true });
  try {
    const found = await api.lab(text);
    if (mine !== turn) return;
    arranging.done();
    const names = found.view ? await named(found.view.game) : null;
    if (mine !== turn) return;
    const last = get().found;
    // What cannot be read leaves the table as it was: only the line is marked.
    set({ found: found.view ? found : { ...(last ?? found), error: found.error, stopped: null }, busy: false, problem: null });
    localStorage.setItem(KEPT, text);
    if (!found.view) return;
    // Whoever is asked, the table lies as it lay.
    const view: View = { ...found.view, side: 0, may_undo: found.view.answers > 0, table: tableOf(found.view.game, names!) };
    const before = last?.view?.events.length ?? 0;
    if (step && last?.view && found.view.answers > last.view.answers) showMore({ ...view, events: view.events.slice(before) });
    else showScene(link, view);
  } catch (error) {
    if (mine !== turn) return;
    arranging.done();
    set({ busy: false, problem: error instanceof ApiError ? error.text : { zh: String(error), en: String(error) } });
  }
}

const known = new Map<string, Promise<LabGame>>();

/** What a scene of that game can be made of. */
async function named(game: string): Promise<Text> {
  if (get().game?.game !== game) {
    if (!known.has(game)) known.set(game, api.labGame(game));
    set({ game: await known.get(game)! });
  }
  return get().game!.names;
}

export const lab = {
  set,
  /** Another scene altogether. */
  load(text: string, puzzle: Puzzle | null = null) {
    set({ text, puzzle, solved: false, before: [], found: null, problem: null, broken: false, arranging: false });
    arranging.by(null);
    void carryOut(false);
  },
  /** Look at the umpire's word: the whole text, with what it asks. */
  solve() {
    const { puzzle } = get();
    if (!puzzle) return;
    set({ solved: true, tab: "ask" });
    lab.change(puzzle.solution);
  },
  /** The text as it is typed: carried out when the hand rests. */
  type(text: string) {
    lab.note();
    set({ text });
    clearTimeout(waiting);
    waiting = setTimeout(() => void carryOut(false), PATIENCE);
  },
  /** The text as the table or a form has changed it. */
  change(text: string, step = false) {
    if (text === get().text) return arranging.done();
    lab.note();
    clearTimeout(waiting);
    set({ text });
    void carryOut(step);
  },
  note: () => set((s) => (s.before.at(-1) === s.text ? {} : { before: [...s.before, s.text].slice(-STEPS) })),
  undo() {
    const { before } = get();
    if (!before.length) return;
    clearTimeout(waiting);
    set({ text: before.at(-1)!, before: before.slice(0, -1) });
    void carryOut(false);
  },
  answer(answer: Json) {
    const ask = useTable.getState().view?.decisions[0];
    if (ask) lab.change(withAnswer(get().text, ask.side, answer), true);
  },
  back: () => lab.change(withoutLast(get().text)),
  wish: (wish: Json, side: number | null) => api.labAsk<{ ruling: Wished }>(get().text, { type: "wish", wish }, side).then((r) => r.ruling),
  /** What a deed may be done with by this piece, where its game can tell. */
  uses: (deed: string, who: string) => api.labAsk<{ uses: LabUse[] }>(get().text, { type: "uses", deed, who }, null).then((r) => r.uses),
  handle: (id: string): Handle | null => get().found?.handles[id] ?? null,
  /** The pieces that go with this one: all of its unit, unless it goes alone. */
  group(id: string, alone: boolean): string[] {
    const handles = get().found?.handles ?? {};
    const own = handles[id];
    if (!own || alone) return own ? [id] : [];
    const path = own.path.join();
    return Object.keys(handles).filter((key) => handles[key]!.path.join() === path);
  },
  drop(id: string, by: [number, number], alone: boolean) {
    const handle = lab.handle(id);
    if (handle) lab.change(shift(get().text, handle, by, alone));
    else arranging.done();
  },
  /** Are pieces put where the hand leaves them? */
  arrange(on: boolean) {
    set({ arranging: on });
    arranging.by(on ? lab : null);
  },
  leave() {
    clearTimeout(waiting);
    arranging.by(null);
    turn++;
    leaveScene(link);
    set({ ...empty, puzzles: get().puzzles });
  },
  kept: () => localStorage.getItem(KEPT),
};
