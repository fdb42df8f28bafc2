/** The HTTP half of the protocol, and the tables this browser holds links to. */
import { drawLuck } from "./table/fairness";
import type { Created, Frame, GameInfo, Json, Lab, LabGame, NewSeat, NewTable, Puzzle, PuzzleHead, ReplayInfo, Rule, RuleHead, Story, Summary, Text, Try } from "./protocol";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly text: Text,
  ) {
    super(text.en);
  }
}

async function ask<T>(path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`/api${path}`, body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json", ...more },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await problem(response);
  return (await response.json()) as T;
}

async function problem(response: Response): Promise<ApiError> {
  const said: unknown = await response.json().catch(() => null);
  const text = (said as { text?: Text } | null)?.text;
  const status = `${response.status} ${response.statusText}`;
  return new ApiError(response.status, text ?? { zh: status, en: status });
}

export const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/** The word that a host may want for making tables, once it has been given. */
function password(): Record<string, string> {
  const word = sessionStorage.getItem("umpire.password");
  return word ? { "X-Umpire-Password": word } : {};
}

const seen = new Map<string, Promise<Rule>>();

let known: Promise<GameInfo[]> | null = null;

export const api = {
  games: () => ask<GameInfo[]>("/games"),
  tries: (game: string): Promise<Try[]> =>
    (known ??= ask<GameInfo[]>("/games")).then((games) => games.find((one) => one.id === game)?.library.first?.tries ?? []),
  create: (table: NewTable) => ask<Created>("/tables", table, password()),
  summary: (table: string) => ask<Summary>(`/tables/${encodeURIComponent(table)}`),
  rules: (game: string, q: string, lang: string) =>
    ask<{ rules: RuleHead[]; total: number }>(`/rules?${new URLSearchParams({ game, q, lang })}`),
  rule: (id: string): Promise<Rule> => {
    const known = seen.get(id);
    if (known) return known;
    const asked = ask<Rule>(`/rules/${encodeURIComponent(id)}`);
    seen.set(id, asked);
    asked.catch(() => seen.delete(id));
    return asked;
  },
  record: async (table: string, token: string): Promise<string> => {
    const response = await fetch(`/api/records/${encodeURIComponent(table)}`, { headers: bearer(token) });
    if (!response.ok) throw await problem(response);
    return response.text();
  },
  replay: (record: string) => ask<ReplayInfo>("/replay", { record }),
  replayOf: (table: string, token: string) => ask<ReplayInfo>(`/records/${encodeURIComponent(table)}/replay`, {}, bearer(token)),
  replayAbout: (replay: string) => ask<ReplayInfo>(`/replay/${encodeURIComponent(replay)}/about`),
  story: (replay: string) => ask<Story>(`/replay/${encodeURIComponent(replay)}/story`),
  frames: (replay: string, from: number, to: number) =>
    ask<{ frames: Frame[] }>(`/replay/${encodeURIComponent(replay)}?from=${from}&to=${to}`).then((r) => r.frames),
  lab: (scene: string) => ask<Lab>("/lab", { scene }),
  labAsk: <T>(scene: string, question: Json, side: number | null) => ask<T>("/lab/ask", { scene, question, side }),
  labTable: (scene: string, seats: NewSeat[]) => ask<Created>("/lab/tables", { scene, seats }, password()),
  labGame: (game: string) => ask<LabGame>(`/lab/games/${encodeURIComponent(game)}`),
  puzzles: () => ask<PuzzleHead[]>("/lab/puzzles"),
  puzzle: (id: string) => ask<Puzzle>(`/lab/puzzles/${encodeURIComponent(id)}`),
  sceneOf: async (table: string, token: string): Promise<string> => {
    const response = await fetch(`/api/tables/${encodeURIComponent(table)}/scene`, { headers: bearer(token) });
    if (!response.ok) throw await problem(response);
    return ((await response.json()) as { scene: string }).scene;
  },
  sceneAt: (replay: string, at: number) => ask<{ scene: string }>(`/replay/${encodeURIComponent(replay)}/scene?at=${at}`).then((r) => r.scene),
  fork: (replay: string, at: number, side: number) =>
    ask<Created>(`/replay/${encodeURIComponent(replay)}/fork`, { at, side, level: "normal" }),
};

/** A seat that this browser has the link of; `away` where somebody plays it at another screen. */
export interface Link {
  side: number;
  token: string;
  away?: boolean;
}

/** A table this browser may return to. `others` are links for seats to give away, `watch` the watch token. */
export interface Held {
  table: string;
  token: string;
  side: number | null;
  watch?: string;
  others?: Link[];
  at: number;
}

const KEY = "umpire.tables";

export function heldTables(): Held[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Held[];
  } catch {
    return [];
  }
}

export function hold(entry: Held): void {
  const rest = heldTables().filter((h) => h.table !== entry.table || h.token !== entry.token);
  localStorage.setItem(KEY, JSON.stringify([entry, ...rest].slice(0, 40)));
}

export function forget(entry: Held): void {
  localStorage.setItem(KEY, JSON.stringify(heldTables().filter((h) => h.table !== entry.table || h.token !== entry.token)));
}

/** The seat of a side, if this browser holds its link beside its own and whoever plays it does so at this screen. */
export function seatHere(table: string, token: string, side: number): Link | undefined {
  const mine = heldTables().find((held) => held.table === table && held.token === token);
  return mine?.others?.find((other) => other.side === side && !other.away);
}

/** Somebody plays these sides at a screen of their own: this one is never handed over to them. */
export function playedAway(table: string, token: string, sides: number[]): void {
  const mine = heldTables().find((held) => held.table === table && held.token === token);
  if (!mine?.others?.some((other) => sides.includes(other.side) && !other.away)) return;
  hold({ ...mine, others: mine.others.map((other) => (sides.includes(other.side) ? { ...other, away: true } : other)) });
}

export const tablePath = (table: string, token: string) => `/table/${table}#${token}`;

/** Take the first seat of a new table and keep the other links to give away. */
export function seatPath(created: Created, own: number): string {
  const link = created.links.find((l) => l.side === own) ?? created.links[0];
  const token = link?.token ?? created.watch;
  drawLuck(created.table, token, created.commitment);
  hold({
    table: created.table,
    token,
    side: link?.side ?? null,
    watch: created.watch,
    others: created.links.filter((l) => l !== link),
    at: Date.now(),
  });
  return tablePath(created.table, token);
}
