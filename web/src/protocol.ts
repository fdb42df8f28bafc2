/** What browser and server say to each other; docs/protocol.md says what it means. */

export type Lang = "zh" | "en";
export type Text = { zh: string; en: string; key?: string };
export type Side = number;
export type Point = [number, number];
export type Point3 = [number, number, number];
export type Json = unknown;

export interface Shape {
  kind: "round" | "oval" | "rect" | "polygon";
  width: number;
  depth: number;
  points: Point[];
}

export interface Piece {
  id: string;
  unit: string;
  side: Side;
  shape: Shape;
  x: number;
  y: number;
  z: number;
  facing: number;
  height: number;
  icon: string;
  models: number;
  wounds: number | null;
  wounds_max: number | null;
  figure: string;
}

export interface Block {
  kind: string;
  points: Point[];
  z: number;
  top: number;
}

export interface TerrainPiece {
  id: string;
  name: Text;
  blocks: Block[];
  tags: Text[];
  rules: string[];
}

export interface Marker {
  id: string;
  kind: string;
  x: number;
  y: number;
  z: number;
  radius: number;
  range: number;
  side: Side | null;
  label: Text | null;
}

export interface Zone {
  id: string;
  kind: string;
  points: Point[];
  side: Side | null;
  label: Text | null;
  closed: boolean;
}

export interface Change {
  op: string;
  value: number;
  rule?: string;
  source?: string | Text;
  result?: number;
}

export interface Value {
  name: Text;
  base: Json;
  now: Json;
  changes: Change[];
}

export interface Card {
  id: string;
  side: Side;
  name: Text;
  icon: string;
  pieces: string[];
  values: Value[];
  weapons: Record<string, Json>[];
  tags: Text[];
  rules: Record<string, Json>[];
  wounds: number | null;
  wounds_max: number | null;
  done: boolean;
  away: boolean;
  dead: boolean;
}

export interface Picture {
  width: number;
  depth: number;
  pieces: Piece[];
  terrain: TerrainPiece[];
  markers: Marker[];
  zones: Zone[];
  cards: Card[];
  track: Text[];
  score: number[];
  pools: Record<string, Json>[];
  scenario: Text | null;
  goal: Text[];
  ground: string;
  homes: number[];
}

export interface Option {
  id: string;
  label: Text;
  refs?: string[];
  rules?: string[];
  data?: Record<string, Json>;
  unit?: string;
  deed?: Text;
  drag?: boolean;
}

export interface Spot {
  x: number;
  y: number;
  z?: number;
  facing?: number;
}

export interface Leg extends Partial<Spot> {
  how?: string;
  inches?: number;
  degrees?: number;
  /** Inches spent, and how deep a jump goes down at its end, where the server says. */
  cost?: number;
  drop?: number;
}

export type Placed = Spot | { models: Record<string, Spot> };
export type Moved = { path?: Leg[]; models?: Record<string, Spot>; stay?: boolean };

export interface AboutMoving {
  pieces?: string[];
  form?: "spot" | "path" | "models";
  shapes?: Record<string, { shape: Shape; height?: number; icon?: string }>;
  limit?: number;
  from?: Spot;
  coherency?: number;
  hows?: { id: string; label: Text }[];
}

interface Asked<K extends string> {
  kind: K;
  side: Side;
  prompt: Text;
  rules: string[];
  about: string;
  data?: AboutMoving & Record<string, Json>;
}

export type Choose = Asked<"choose"> & { options: Option[]; refused?: Record<string, Json> };
export type ChooseSeveral = Asked<"choose-several"> & { options: Option[]; least: number; most: number };
export type Place = Asked<"place"> & { default?: Placed };
export type Move = Asked<"move"> & { default?: Moved };
export type Face = Asked<"face"> & { default?: number };
export type Order = Asked<"order"> & { options: Option[] };
export type Split = Asked<"split"> & { total: number; parts: Record<string, [number, number]> };
export type Confirm = Asked<"confirm">;
export type TypeDice = Asked<"dice"> & { count: number; sides: number };
export type Decision = Choose | ChooseSeveral | Place | Move | Face | Order | Split | Confirm | TypeDice;

export interface Roll {
  purpose: string;
  rule: string;
  sides: number;
  faces: number[];
  side?: Side | null;
  who?: string;
  need?: number;
  first?: number[];
  mods?: [number, string][];
}

export interface GameEvent {
  n: number;
  kind: string;
  text: Text;
  rules?: string[];
  facts?: Record<string, Json>;
  roll?: Roll | null;
}

export interface Outcome {
  winner: Side | null;
  score: number[];
  rules: string[];
  key?: string;
}

export interface Seat {
  side: Side;
  kind: "person" | "computer" | "open";
  name: string | null;
  army: Text | null;
  level: Level | null;
  connected: boolean;
}

export type Level = "easy" | "normal" | "hard";

export interface TableInfo {
  id: string;
  game: string;
  names: Text;
  guide: boolean;
  started: boolean;
  watchers: number;
  seats: Seat[];
  takeback: { side: Side; answers: number } | null;
  over: boolean;
  fairness: Fairness | null;
}

export interface Fairness {
  commitment: string;
  contributions: string[];
  secret: string;
}

export interface View {
  game: string;
  side: Side | null;
  picture: Picture;
  decisions: Decision[];
  waiting: Side[];
  may_undo: boolean;
  answers: number;
  events: GameEvent[];
  outcome: Outcome | null;
  table: TableInfo;
}

export interface Frame extends Omit<View, "table"> {
  asked: { side: Side; prompt: Text; rules: string[] }[];
  answered: { side: Side; answer: Json } | null;
}

export interface Reason {
  rule: string;
  facts: Record<string, Json>;
  text: Text;
}

export interface Ruling {
  legal: boolean;
  reasons: Reason[];
  nearest: Json;
  /** The legs of every piece that moves, of a block by its unit: those of the answer, or of `nearest` where it is refused. */
  path?: Record<string, Leg[]> | null;
}

export interface Odds {
  title: Text;
  lines: { label: Text; value: number | string; chance?: boolean }[];
  dists?: Record<string, number[]>;
  /** The enemies that would see what moves where it ends. */
  seen_by?: string[];
}

export interface Region {
  kind: string;
  polygons: Point[][];
  z: number;
  label?: Text | null;
}

export interface Measured {
  distance: number;
  horizontal: number;
  vertical: number;
  line: [Point3, Point3];
  sight: {
    clear: boolean;
    cover: boolean;
    /** The game's rules that said so, between two pieces. */
    rules: string[];
    line: [Point3, Point3];
    blockers: { id: string; name: Text; at: Point3 }[];
  } | null;
}

export interface Chat {
  n: number;
  from: Side | null;
  name: string | null;
  text: string;
  at: number;
}

export type ErrorCode =
  | "bad-message"
  | "not-asked"
  | "stale"
  | "refused"
  | "forbidden"
  | "too-fast"
  | "too-large"
  | "internal";

export type FromServer =
  | { type: "view"; view: View }
  | { type: "update"; view: View }
  | { type: "table"; table: TableInfo }
  | { type: "ruling"; id: number; ruling: Ruling }
  | { type: "odds"; id: number; odds: Odds | null }
  | { type: "reach"; id: number; regions: Region[] }
  | { type: "suggestion"; id: number; answer: Json }
  | { type: "hint"; id: number; answer: Json; text: Text }
  | ({ type: "measured"; id: number } & Measured)
  | ({ type: "chat" } & Chat)
  | { type: "error"; id?: number; code: ErrorCode; text: Text };

export type End = string | Spot;

export type FromClient =
  | { type: "answer" | "check" | "odds"; id: number; n: number; answer: Json }
  | { type: "reach" | "suggest" | "hint"; id: number; n: number }
  | { type: "measure"; id: number; from: End; to: End }
  | { type: "undo"; n: number }
  | { type: "takeback"; accept?: boolean }
  | { type: "resign" }
  | { type: "chat"; text: string }
  | { type: "name"; name: string };

export interface GameInfo {
  id: string;
  names: Text;
  library: {
    armies?: { id: string; name: Text; faction?: Text | string; points?: number }[];
    scenarios?: { id: string; name: Text; text?: Text }[];
    options?: { id: string; name: Text; values: (string | number | boolean | { id: string; name: Text })[]; default: Json }[];
  };
}

export interface NewSeat {
  kind: "person" | "computer" | "open";
  army?: string;
  level?: Level;
  name?: string;
}

export interface NewTable {
  game: string;
  scenario?: string;
  seed?: number;
  options?: Record<string, Json>;
  dice?: "seed" | "typed";
  seats: NewSeat[];
  guide?: boolean;
}

export interface Created {
  table: string;
  links: { side: Side; token: string }[];
  watch: string;
  commitment: string;
}

export interface Summary {
  table: string;
  game: string;
  names: Text;
  scenario: Text | null;
  seats: Seat[];
  answers: number;
  over: boolean;
  started: boolean;
  fairness: Fairness;
  outcome: Outcome | null;
  track: Text[];
}

export interface RuleHead {
  id: string;
  game: string;
  en: string;
  zh: string;
  kind?: string;
}

export interface Rule extends RuleHead {
  text: string;
  text_zh: string;
  lines: string;
  needs: string[];
  note?: string | null;
  neighbours: [RuleHead | null, RuleHead | null];
}

export interface ReplayInfo {
  replay: string;
  game: string;
  names: Text;
  scenario: Text | null;
  frames: number;
}
