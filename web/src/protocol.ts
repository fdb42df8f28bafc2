/** What browser and server say to each other; docs/protocol.md says what it means.
 *  Written by scripts/protocol-types from src/umpire/server/wire.py, wire_pages.py and messages.py: change those. */

export type Lang = "zh" | "en";

export type Side = number;

export type Json = unknown;

export type Point = [number, number];

export type Point3 = [number, number, number];

export type Level = "easy" | "normal" | "hard";

/**
 * A text in both languages.
 */
export interface Text {
  zh: string;
  en: string;
  key?: string;
}

/**
 * A footprint: a circle or oval (width, depth), a rectangle (width, depth), or a polygon about its own origin.
 */
export interface Shape {
  kind: "round" | "oval" | "rect" | "polygon";
  width: number;
  depth: number;
  points: Point[];
}

/**
 * A model or stand on the table. `icon` names a game-icons symbol; `wounds` is what it has left; `figure` is what
 * kind of wooden piece stands there: "foot", "horse", "beast", "monster", "vehicle", "engine", "flyer" or "hero".
 */
export interface Piece {
  id: string;
  unit: string;
  side: number;
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

/**
 * A part of a terrain piece: a prism from `z` up to `top` over a polygon. `kind` says how it is drawn: "wall",
 * "floor", "platform", "ladder", "stair", "ramp", "door", "arch", "area", "obstacle", "statue", "fence", "water",
 * "forest", "hill", "building" …
 */
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

/**
 * An objective, treasure, token or other thing that lies on the table; `radius` is its own, `range` its control.
 */
export interface Marker {
  id: string;
  kind: string;
  x: number;
  y: number;
  z: number;
  radius: number;
  range: number;
  side: number | null;
  label: Text | null;
}

/**
 * A part of the floor: a deployment area, an objective zone, a line.
 */
export interface Zone {
  id: string;
  kind: string;
  points: Point[];
  side: number | null;
  label: Text | null;
  closed: boolean;
}

/**
 * A characteristic on a card: base and current value, and every step between the two.
 */
export interface Value {
  name: Text;
  base: unknown;
  now: unknown;
  changes: Change[];
}

/**
 * Something that a card tells of a weapon or a rule: what it is called, and a number, a word or several.
 */
export interface Fact {
  name: Text;
  value: unknown;
}

/**
 * A weapon on a card.
 */
export interface Arm {
  name: Text;
  facts: Fact[];
  icon: string;
}

/**
 * Dice, points or cards that a side has to spend, or a privilege that it has (a name alone); `dice` lie on the
 * table: a face, and on how many of them.
 */
export interface Purse {
  side: number;
  name: Text | null;
  value: unknown;
  dice: [number, number][];
}

/**
 * A unit (or a single fighter): what a player reads on its card.
 *
 * Of its tags, those with keys `tag.`, `status.` and `mark.` are what befalls it now and stand beside it on the table;
 * `being.` is what it is all through the battle, and stands beside its name in the list; others are on its card alone.
 */
export interface Card {
  id: string;
  side: number;
  name: Text;
  icon: string;
  pieces: string[];
  values: Value[];
  weapons: Arm[];
  tags: Text[];
  rules: Record<string, unknown>[];
  wounds: number | null;
  wounds_max: number | null;
  done: boolean;
  away: boolean;
  dead: boolean;
}

/**
 * A phase of the round or turn that is being played. `now`: this is the one; then `units` have still something to
 * do in it, as far as the table shows it.
 */
export interface Phase {
  id: string;
  name: Text;
  now: boolean;
  units: string[];
}

/**
 * All that a table shows. `track` is where in the battle we are, outermost first: round, phase, activation;
 * `phases` are all those of a round or turn, in their order; `turn` is the side whose turn it is, if any.
 *
 * `goal` tells how the battle is won, what scores and how long it lasts, a sentence each. `ground` is what the table
 * is covered with: "felt", "earth", "grass", "stone", "snow" or "ash". `homes` is for each side the direction in
 * which it looks from its own edge, in degrees: 0 for the near one.
 */
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
  pools: Purse[];
  scenario: Text | null;
  goal: Text[];
  ground: string;
  homes: number[];
  phases: Phase[];
  turn: number | null;
}

/**
 * A step from the base of a value to what it is now.
 */
export interface Change {
  op: string;
  value: number;
  rule?: string;
  source?: string | Text;
  result?: number;
}

/**
 * A place on the table in inches; a facing in degrees, 0 towards the far edge, clockwise.
 */
export interface Spot {
  x: number;
  y: number;
  z?: number;
  facing?: number;
}

/**
 * Where one model of a unit is to stand; `path` are the places that it passes before.
 */
export interface ModelSpot extends Spot {
  path?: number[][];
}

/**
 * Where something is to come by whatever legal way is found: to a place, or `beside` a piece.
 */
export interface Goal {
  x?: number;
  y?: number;
  z?: number;
  facing?: number;
  beside?: string;
}

/**
 * One leg of a way: to a place, or so many inches or degrees of a manoeuvre (`how`); `on` and `through` name the
 * terrain that a leg leads up or through. A leg that the umpire told may be given back with its `cost` and `drop`,
 * which an answer need not say and cannot change.
 */
export interface Leg {
  how?: string;
  x?: number;
  y?: number;
  z?: number;
  facing?: number;
  inches?: number;
  degrees?: number;
  on?: string;
  through?: string;
  cost?: number;
  drop?: number;
}

/**
 * The answer to `place`: one spot (`files` where a block is formed anew), or a spot for each model.
 */
export interface Placed {
  x?: number;
  y?: number;
  z?: number;
  facing?: number;
  files?: number;
  models?: Record<string, Spot>;
}

/**
 * The answer to `move`: exactly one of `stay` (which is true), `to`, `path` and `models`; and where it comes on
 * from a table edge, which one (`edge`), where along it (`at`) and in how many `files`.
 */
export interface Moved {
  stay?: true;
  to?: Goal;
  path?: Leg[];
  models?: Record<string, ModelSpot>;
  edge?: string;
  at?: number;
  files?: number;
}

/**
 * A kind of leg: how it is measured (where it ends, in inches or in degrees); which way so many inches lead, in
 * degrees from the front, clockwise; and for a turn how many inches of the move a degree costs.
 */
export interface Manner {
  id: string;
  label: Text;
  by: "place" | "inches" | "degrees";
  price: number;
  towards: number | null;
}

/**
 * A piece that is not on the table yet, as a hand holds it.
 */
export interface Held {
  shape: Shape;
  height: number;
  icon: string;
  figure: string;
}

/**
 * How a question is answered: which parts of the form, with what limits, by which pieces.
 */
export interface Form {
  /** What an answer may say: a `spot`, `models`, a `path`, a goal (`to`), or to `stay`. */
  ways: ("spot" | "models" | "path" | "to" | "stay")[];
  /** The pieces that are placed or moved; of a unit all of them. */
  pieces: string[];
  /** Inches that may be spent. */
  limit: number | null;
  /** How far it may turn, where that is limited. */
  degrees: number | null;
  /** The kinds of leg that a path may be made of. */
  manners: Manner[];
  /** What leads a unit, and where the way begins: the middle of a loose unit, the middle of a block's front. */
  start: Spot | null;
  /** May a facing be wished? */
  facing: boolean;
  /** The fewest and the most files of a block that is formed anew. */
  files: [number, number] | null;
  /** The table edges by which it may come on. */
  edges: string[];
  /** Of pieces that are not on the table yet. */
  shapes: Record<string, Held>;
  /** How far apart the models of a loose unit may stand, in inches. */
  coherency: number | null;
}

/**
 * A part of the table to draw: polygons in inches at a height; `kind` says what they mean ("reach", "risk" …).
 */
export interface Region {
  kind: string;
  polygons: Point[][];
  z: number;
  label: Text | null;
}

/**
 * So many of a row, and what is chosen for them: one option of each of the row's choices.
 */
export interface Part {
  row: string;
  choose: Record<string, string>;
  count?: number;
}

/**
 * One leg of a way as an answer may write it, and with it where it ends, how deep it drops there, and what it costs
 * in inches.
 */
export interface Stretch {
  x: number;
  y: number;
  z?: number;
  facing?: number;
  how?: string;
  inches?: number;
  degrees?: number;
  drop?: number;
  cost?: number;
}

/**
 * Dice thrown together. `faces` are the faces that stand; `first` those that a re-roll replaced (0: none).
 *
 * `need` is the face that counts as a success (positive: that or higher; negative: that or lower), if there is one:
 * the luck meter and the dice tray read it. `mods` are modifier steps, each an amount and what it comes from.
 */
export interface Roll {
  purpose: string;
  rule: string;
  sides: number;
  faces: number[];
  side?: number;
  who?: string;
  need?: number;
  first?: number[];
  mods?: [number, string][];
}

/**
 * Something that may be chosen: its id is the answer; `refs` are the pieces that should glow on the table.
 *
 * `unit` is whose deed it is, `deed` what it is called without the unit's name; `drag`: moving the unit chooses it;
 * `drop`: letting go of the unit on another chooses it.
 */
export interface Option {
  id: string;
  label: Text;
  refs?: string[];
  rules?: string[];
  data?: Record<string, unknown>;
  unit?: string;
  deed?: Text;
  drag?: boolean;
  drop?: boolean;
  /** Where pieces would stand if it is chosen. */
  stands?: Record<string, Stretch>;
  /** The phase is over with it. */
  ends?: boolean;
  /** What is offered is declined with it, and nothing else happens. */
  passes?: boolean;
  /** It may be done, and comes to nothing whatever the dice say. */
  vain?: boolean;
}

/**
 * One line of a declaration: what has to be chosen for it, by name, and how many it may and must spend.
 *
 * Rows of one `group` are alike but for whose they are.
 */
export interface Row {
  id: string;
  label: Text;
  group?: Text;
  choices: Record<string, Option[]>;
  count?: number;
  least?: number;
  refs?: string[];
  rules?: string[];
}

/**
 * What a hand holds when a question is put: where its pieces stand or would usually stand, if that is not where
 * they are drawn, and what leads them.
 */
export interface Hand {
  stands: Record<string, Stretch>;
  lead: Stretch | null;
}

/**
 * What every question says.
 */
export interface Asked {
  side: Side;
  prompt: Text;
  rules: string[];
  about: string;
  /** What a newcomer to the game is told when this is asked. */
  guide?: Text;
  /** It belongs to setting up, which a newcomer may leave to the umpire. */
  preparing?: boolean;
  /** It asks how a thing is done that has been chosen, and has a usual answer, which a table gives by itself unless the player wants to be asked. */
  detail?: boolean;
  data?: Record<string, unknown>;
}

export interface Choose extends Asked {
  kind: "choose";
  options: Option[];
  default?: string;
  refused?: Record<string, unknown[]>;
}

export interface ChooseSeveral extends Asked {
  kind: "choose-several";
  options: Option[];
  least: number;
  most: number;
  default?: string[];
}

export interface Place extends Asked {
  kind: "place";
  form: Form;
  hand: Hand;
  default?: Placed;
}

export interface Move extends Asked {
  kind: "move";
  form: Form;
  hand: Hand;
  default?: Moved;
}

export interface Face extends Asked {
  kind: "face";
  form: Form;
  default?: number;
}

export interface Order extends Asked {
  kind: "order";
  options: Option[];
}

export interface Split extends Asked {
  kind: "split";
  total: number;
  parts: Record<string, [number, number]>;
  default?: Record<string, number>;
}

export interface Confirm extends Asked {
  kind: "confirm";
}

export interface TypeDice extends Asked {
  kind: "dice";
  count: number;
  sides: number;
}

export interface Declare extends Asked {
  kind: "declare";
  rows: Row[];
  default: Part[];
}

export type Decision = Choose | ChooseSeveral | Place | Move | Face | Order | Split | Confirm | TypeDice | Declare;

/**
 * One thing that happened, with its dice, its rules and its sentence.
 */
export interface GameEvent {
  n: number;
  kind: string;
  text: Text;
  rules?: string[];
  facts?: Record<string, unknown>;
  roll?: Roll | null;
  seen?: number[];
}

export interface Outcome {
  winner: Side | null;
  score: number[];
  rules: string[];
  key: string;
  facts: Record<string, unknown>;
}

export interface Seat {
  side: Side;
  kind: "person" | "computer" | "open";
  name: string | null;
  army: Text | null;
  level: "easy" | "normal" | "hard" | null;
  connected: boolean;
}

/**
 * Each seat commits to its luck by a hash when it comes; `owing` are those who are to tell it now.
 */
export interface Fairness {
  commitment: string;
  hashes: string[];
  owing: Side[];
  contributions: string[];
  withheld: Side[];
  secret: string;
}

export interface Clock {
  kind: "move" | "chess" | "battle";
  seconds: number;
  increment: number;
  falls: "remind" | "computer" | "lose";
  left: Point;
  running: Side[];
  fell: Side[];
}

/**
 * Who asks to go back, and to how many answers.
 */
export interface Takeback {
  side: Side;
  answers: number;
}

export interface TableInfo {
  id: string;
  game: string;
  names: Text;
  guide: boolean;
  started: boolean;
  watchers: number;
  seats: Seat[];
  takeback: Takeback | null;
  over: boolean;
  stopped: Text | null;
  clock: Clock | null;
  fairness: Fairness | null;
}

/**
 * What a side may know of a battle.
 */
export interface Seen {
  game: string;
  side: Side | null;
  picture: Picture;
  decisions: (Choose | ChooseSeveral | Place | Move | Face | Order | Split | Confirm | TypeDice | Declare)[];
  waiting: Side[];
  may_undo: boolean;
  answers: number;
  events: GameEvent[];
  outcome: Outcome | null;
}

export interface View extends Seen {
  table: TableInfo;
}

/**
 * What was asked in a frame of a replay.
 */
export interface Put {
  side: Side;
  prompt: Text;
  rules: string[];
}

/**
 * `said` are the words of the options that were chosen.
 */
export interface Given {
  side: Side;
  answer: unknown;
  said: Text[];
}

export interface Frame extends Seen {
  asked: Put[];
  answered: Given | null;
}

/**
 * Why something is forbidden; `at` is the part of an answer that it stands against.
 */
export interface Reason {
  rule: string;
  facts: Record<string, unknown>;
  text: Text;
  at?: string;
}

export interface OddsLine {
  label: Text;
  value: number | string;
  chance?: boolean;
}

export interface Odds {
  title: Text;
  lines: OddsLine[];
  dists?: Record<string, number[]>;
}

/**
 * Everything about a wish. What follows `nearest` is of what would be done: of the wish, or of the `nearest` that
 * is legal where it is refused.
 */
export interface Ruling {
  legal: boolean;
  reasons: Reason[];
  nearest: unknown;
  /** The legs of every piece that moves; of a block by its unit, as the middle of its front goes. */
  path: Record<string, Stretch[]>;
  /** Inches that the dearest of the ways costs. */
  cost: number;
  /** Where every piece would stand. */
  stands: Record<string, Stretch>;
  /** What leads them: the piece, the middle of a loose unit, the middle of a block's front. */
  lead: Stretch | null;
  /** The same answer with its way spelt out, leg by leg, so that a hand can go on from there. */
  spelt: unknown;
  odds: Odds | null;
  /** The enemies that would see what moves where it ends. */
  seen_by: string[];
}

export interface Blocker {
  id: string;
  name: Text;
  at: Point3;
}

/**
 * Whether one thing sees another, by which rules of the game, and what the thread between them meets.
 */
export interface Thread {
  clear: boolean;
  cover: boolean;
  rules: string[];
  line: [Point3, Point3];
  blockers: Blocker[];
}

export interface Measured {
  distance: number;
  horizontal: number;
  vertical: number;
  line: [Point3, Point3];
  rules: string[];
  sight: Thread | null;
}

export interface Chat {
  n: number;
  from: Side | null;
  name: string | null;
  text: string;
  at: number;
}

export type ErrorCode = "bad-message" | "not-asked" | "stale" | "refused" | "forbidden" | "too-fast" | "too-large" | "internal";

export interface ViewMessage {
  type: "view";
  view: View;
}

export interface UpdateMessage {
  type: "update";
  view: View;
  id?: number;
}

export interface TableMessage {
  type: "table";
  table: TableInfo;
}

export interface RulingMessage {
  type: "ruling";
  id: number;
  ruling: Ruling;
}

export interface ReachMessage {
  type: "reach";
  id: number;
  regions: Region[];
}

export interface SuggestionMessage {
  type: "suggestion";
  id: number;
  answer: unknown;
}

/**
 * The question that an option leads to at once, and by its options the questions after it.
 */
export interface Follows {
  ask: Choose | ChooseSeveral | Place | Move | Face | Order | Split | Confirm | TypeDice | Declare;
  then: Record<string, Follows>;
}

export interface AheadMessage {
  type: "ahead";
  id: number;
  ahead: Record<string, Follows>;
}

export interface HintMessage {
  type: "hint";
  id: number;
  answer: unknown;
  text: Text;
}

export interface MeasuredMessage extends Measured {
  type: "measured";
  id: number;
}

export interface ChatMessage extends Chat {
  type: "chat";
}

export interface ErrorMessage {
  type: "error";
  code: "bad-message" | "not-asked" | "stale" | "refused" | "forbidden" | "too-fast" | "too-large" | "internal";
  text: Text;
  id?: number;
}

export type FromServer = ViewMessage | UpdateMessage | TableMessage | RulingMessage | ReachMessage | SuggestionMessage | AheadMessage | HintMessage | MeasuredMessage | ChatMessage | ErrorMessage;

/**
 * A unit of an army list and what it costs.
 */
export interface Entry {
  name: Text;
  points: number;
}

/**
 * A ready army list; `options` are those of a battle of its size.
 */
export interface Army {
  id: string;
  name: Text;
  faction?: Text | string;
  points?: number;
  options?: Record<string, unknown>;
  units?: Entry[];
}

export interface Scenario {
  id: string;
  name: Text;
  text?: Text;
}

/**
 * A value of an option, by name.
 */
export interface Choice {
  id: string;
  name: Text;
}

/**
 * An option of a battle.
 */
export interface Setting {
  id: string;
  name: Text;
  values: (Choice | string | number | boolean)[];
  default: unknown;
  /** It is a disputed reading, and this the rule that it is about. */
  rule?: string;
  /** What it asks, in a sentence. */
  text?: Text;
}

/**
 * Something to try in a first turn; it is done with an answer to one of these questions (`prompt` or
 * `prompt:beginning of the answer`).
 */
export interface Try {
  asks: string[];
  text: Text;
}

/**
 * What a first battle is set up with: two small armies, the options for them, and what to try first.
 */
export interface First {
  armies: string[];
  options: Record<string, unknown>;
  tries: Try[];
}

export interface Library {
  armies?: Army[];
  scenarios?: Scenario[];
  options?: Setting[];
  first?: First | null;
}

export interface GameInfo {
  id: string;
  names: Text;
  library: Library;
}

export interface Link {
  side: Side;
  token: string;
}

export interface Created {
  table: string;
  links: Link[];
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
  neighbours: [RuleHead | null, RuleHead | null];
  note?: string | null;
}

/**
 * A frame in which side 0's chance to win moved, from what to what, and what happened there.
 */
export interface Turn {
  at: number;
  before: number;
  after: number;
  text: Text | null;
}

/**
 * Side 0's chance to win in every frame, and where it moved most.
 */
export interface Story {
  chances: number[];
  turns: Turn[];
}

export interface ReplayInfo {
  replay: string;
  game: string;
  names: Text;
  scenario: Text | null;
  frames: number;
}

/**
 * What the umpire said to an answer or a question of a scene, and the line of the text that put it.
 */
export interface LabRuling {
  line: number;
  side: Side;
  ask: unknown;
  /** What people call that with which it would be done, where the game can tell. */
  using: Text | null;
  answer: unknown;
  /** The option that was answered. */
  said: Text | null;
  prompt: Text | null;
  legal: boolean;
  reasons: Reason[];
  odds: Odds | null;
}

/**
 * What is wrong with the text of a scene, and in which line (0: nowhere in particular).
 */
export interface LabFault {
  line: number;
  text: Text;
}

/**
 * What was expected and did not come.
 */
export interface LabFailure {
  line: number;
  text: Text;
  field: string;
}

/**
 * Where a scene says where a piece stands: the path to its entry, and the form in which it does.
 */
export interface Handle {
  path: (string | number)[];
  form: "spot" | "models" | "points";
  model: number;
}

/**
 * A scene carried out.
 */
export interface Lab {
  view: Seen | null;
  rulings: LabRuling[];
  failures: LabFailure[];
  stopped: LabFault | null;
  handles: Record<string, Handle>;
  error: LabFault | null;
}

/**
 * A value that a field can have, as the file writes it, and what it is called where that is not plain.
 */
export interface LabChoice {
  value: unknown;
  name: Text | null;
}

/**
 * A field of a scene: what it means, how it is filled in, and of entries which fields those have.
 */
export interface LabField {
  name: string;
  about: Text;
  kind: "integer" | "number" | "text" | "yes" | "choice" | "entry" | "list" | "data";
  required: boolean;
  choices: LabChoice[];
  of: string | null;
}

/**
 * Something that can be put on the table: an entry for that list of the position, about the point 0, 0, and the
 * room that it takes there (left, near, right, far).
 */
export interface LabStock {
  into: string;
  name: Text;
  group: Text;
  entry: Record<string, unknown>;
  box: [number, number, number, number];
}

export interface LabDeed {
  id: string;
  name: Text;
  needs: string[];
  may: string[];
}

export interface LabGame {
  game: string;
  names: Text;
  fields: Record<string, LabField[]>;
  stock: LabStock[];
  deeds: LabDeed[];
  /** The text of a scene to begin with. */
  template: string;
}

export interface PuzzleHead {
  id: string;
  game: string;
  names: Text;
  title: Text;
  question: Text;
}

/**
 * `scene` is the text without what tells how it ends, `solution` all of it.
 */
export interface Puzzle {
  id: string;
  game: string;
  names: Text;
  title: Text;
  question: Text;
  ruling: Text;
  rules: string[];
  scene: string;
  solution: string;
}

/**
 * What a deed may be done with: a weapon, a spell, an ability.
 */
export interface LabUse {
  id: string;
  name: Text;
}

/**
 * The umpire's word on a wish: every rule against it, or none; then its odds, where dice decide it.
 */
export interface Wished {
  legal: boolean;
  reasons: Reason[];
  nearest: unknown;
  odds: Odds | null;
}

export interface At {
  x: number;
  y: number;
  z?: number;
}

export type End = string | At;

export interface SayAnswer {
  type: "answer";
  id: number;
  n: number;
  answer: unknown;
}

/**
 * `first`: the answers after which it would be given, by which no die falls and nothing hidden comes out.
 */
export interface SayCheck {
  type: "check";
  id: number;
  n: number;
  answer: unknown;
  first?: unknown[];
}

export interface SayReach {
  type: "reach";
  id: number;
  n: number;
}

export interface SaySuggest {
  type: "suggest";
  id: number;
  n: number;
}

/**
 * What would be asked next, by the options of the open question.
 */
export interface SayAhead {
  type: "ahead";
  id: number;
  n: number;
}

export interface SayHint {
  type: "hint";
  id: number;
  n: number;
}

export interface SayMeasure {
  type: "measure";
  id: number;
  from: string | At;
  to: string | At;
}

export interface SayUndo {
  type: "undo";
  n: number;
  id?: number;
}

export interface SayTakeback {
  type: "takeback";
  accept?: boolean;
  id?: number;
}

export interface SayResign {
  type: "resign";
  id?: number;
}

export interface SayChat {
  type: "chat";
  text: string;
  id?: number;
}

export interface SayRename {
  type: "name";
  name: string;
  id?: number;
}

/**
 * The luck that was committed to; null where it cannot be told any more.
 */
export interface SayLuck {
  type: "luck";
  luck: string | null;
  id?: number;
}

/**
 * Answers that are given for a player whenever a question of that kind is put, by the key of its prompt.
 */
export interface SayOrders {
  type: "orders";
  orders: Record<string, unknown>;
  id?: number;
}

export type FromClient = SayAnswer | SayCheck | SayReach | SaySuggest | SayAhead | SayHint | SayMeasure | SayUndo | SayTakeback | SayResign | SayChat | SayRename | SayLuck | SayOrders;

/**
 * `kind`: "move" gives `seconds` for every answer, "chess" gives each side `seconds` for the battle and
 * `increment` more whenever its turn has passed, "battle" gives both together `seconds`. `falls` says what happens at
 * zero: "remind" (they are told), "computer" (it answers for them), "lose" (where the time was both sides': the score
 * decides).
 */
export interface ClockRules {
  kind: "move" | "chess" | "battle";
  seconds: number;
  increment?: number;
  falls?: "remind" | "computer" | "lose";
}

export interface NewSeat {
  kind: "person" | "computer" | "open";
  army?: string | object;
  level?: "easy" | "normal" | "hard";
  name?: string;
}

export interface NewTable {
  game: string;
  seats: NewSeat[];
  scenario?: unknown;
  seed?: number;
  options?: Record<string, unknown>;
  dice?: "seed" | "typed";
  guide?: boolean;
  clock?: ClockRules;
  /** Open seats may be taken by anybody who looks into the lobby. */
  listed?: boolean;
  /** House rules: the rules that this table plays without. */
  without?: string[];
}
