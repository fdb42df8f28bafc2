/** Where pieces would stand: turning what a hand does on the table into an answer, and an answer into places. No rule here. */
import type { AboutMoving, Decision, Json, Leg, Move, Moved, Picture, Piece, Place, Placed, Ruling, Shape, Spot, Text } from "../protocol";
import { carried, entry, front, isManoeuvre, manoeuvred, ranked, round, stepped, type Placement } from "./formation";

export type { Placement } from "./formation";
/** How an answer is written: one spot, a path, every model, a goal for the unit, or a block with its files. */
export type Form = "spot" | "path" | "models" | "to" | "block" | "enter";
export type How = { id: string; label: Text };

/** What a game may write in an answer besides places. */
interface Written extends Moved, Partial<Spot> {
  to?: Spot;
  files?: number;
  edge?: string;
  at?: number;
}

export interface MoveDraft {
  kind: "place" | "move";
  form: Form;
  pieces: string[];
  shape: Shape;
  table: { width: number; depth: number };
  /** Where the pieces stand before the move, or where the suggestion put them. */
  start: Record<string, Placement>;
  /** What leads them: the piece itself, the middle of a unit, the middle of a block's front. */
  pose: Placement;
  wide: number;
  /** Where they are wished to stand, and what leads them then. */
  spots: Record<string, Placement>;
  lead: Placement;
  /** Legs before the last. */
  via: Leg[];
  /** The manner of the last leg; empty: whatever way the umpire finds. */
  how: string;
  /** The manners a leg may have. */
  hows: How[];
  /** Manoeuvres given one by one. */
  legs: Leg[];
  /** Inches that may be spent; 0 where the question does not say. */
  limit: number;
  files: number;
  edge: string;
  turned: boolean;
  scattered: boolean;
  /** An answer as this game writes it. */
  template: Written;
}

const full = (spot: Partial<Spot>, other?: Placement): Placement => ({
  x: spot.x ?? other?.x ?? 0,
  y: spot.y ?? other?.y ?? 0,
  z: spot.z ?? other?.z ?? 0,
  facing: spot.facing ?? other?.facing ?? 0,
});

const STAND: Shape = { kind: "rect", width: 2.5, depth: 2.5, points: [] };
const DISC: Shape = { kind: "round", width: 1.26, depth: 1.26, points: [] };

export function piecesOf(decision: { about: string; data?: AboutMoving }, picture: Picture): string[] {
  if (decision.data?.pieces?.length) return decision.data.pieces;
  if (picture.pieces.some((p) => p.id === decision.about)) return [decision.about];
  const card = picture.cards.find((c) => c.id === decision.about);
  const own = picture.pieces.filter((p) => p.unit === decision.about).map((p) => p.id);
  if (own.length) return own;
  return card?.pieces.length ? card.pieces : decision.about ? [decision.about] : [];
}

function shapeOf(decision: Place | Move, id: string, picture: Picture): Shape {
  const card = picture.cards.find((c) => c.id === decision.about || c.pieces.includes(id));
  const kin = picture.pieces.find((p) => p.id === id) ?? picture.pieces.find((p) => p.icon && p.icon === card?.icon && p.side === decision.side);
  const inBlocks = (decision.default as Written | undefined)?.files !== undefined;
  return decision.data?.shapes?.[id]?.shape ?? kin?.shape ?? (inBlocks ? STAND : DISC);
}

export function formOf(decision: Place | Move, template: Json, shape: Shape = DISC): Form {
  if (decision.data?.form) return decision.data.form;
  for (const shown of [template, decision.default] as (Written | undefined)[]) {
    if (!shown) continue;
    if (shown.models) return "models";
    if (shown.edge !== undefined) return "enter";
    if (shown.to) return "to";
    if (shown.path?.some(isManoeuvre)) return "to";
    if (shown.path?.length) return "path";
    if (shown.x !== undefined) return shown.files === undefined ? "spot" : "block";
  }
  if (decision.kind === "place") return "spot";
  return shape.kind === "rect" || (decision.default as Written | undefined)?.stay ? "to" : "path";
}

/** Games name what may be spent by their own books. */
const limitOf = (data: (AboutMoving & Record<string, Json>) | undefined): number =>
  [data?.limit, data?.inches, data?.allowance].find((n): n is number => typeof n === "number") ?? 0;

/** Start a draft. `template` is a legal answer that the server suggested, or null. */
export function begin(decision: Place | Move, picture: Picture, template: Json): MoveDraft {
  const shown = (template ?? decision.default ?? {}) as Written;
  const known = piecesOf(decision, picture);
  const shape = shapeOf(decision, known[0] ?? "", picture);
  const form = formOf(decision, template, shape);
  const pieces = form === "models" && shown.models ? Object.keys(shown.models) : known;
  const here = pieces.flatMap((id) => picture.pieces.find((p) => p.id === id) ?? []);
  const table = { width: picture.width, depth: picture.depth };
  const files = shown.files ?? Math.max(1, Math.round(Math.sqrt(pieces.length * 1.4)));
  const draft: MoveDraft = {
    kind: decision.kind, form, pieces, shape, table, files, edge: shown.edge ?? "", start: {}, spots: {},
    pose: { x: table.width / 2, y: table.depth / 2, z: 0, facing: 0 }, lead: { x: 0, y: 0, z: 0, facing: 0 },
    wide: files * shape.width, via: [], how: "", hows: decision.data?.hows ?? [], legs: [], limit: limitOf(decision.data),
    turned: false, scattered: false, template: shown,
  };
  if (form === "enter") {
    draft.pose = entry(draft.edge, shown.at ?? 0, table);
    draft.start = ranked(pieces, files, shape, draft.pose);
    draft.legs = shown.path ?? [];
  } else if (form === "models" && shown.models && (decision.kind === "place" || here.length < pieces.length)) {
    draft.start = Object.fromEntries(pieces.map((id) => [id, full(shown.models![id]!)]));
    draft.pose = middle(draft.start);
  } else if (here.length === pieces.length && here.length && decision.kind === "move") {
    draft.start = Object.fromEntries(here.map((p) => [p.id, full(p)]));
    if (shape.kind === "rect") Object.assign(draft, front(here));
    else draft.pose = middle(draft.start);
  } else {
    draft.pose = full(shown, here[0] ? middle(Object.fromEntries(here.map((p) => [p.id, full(p)]))) : draft.pose);
    draft.start = blockAbout(draft, draft.pose, files);
  }
  draft.lead = draft.form === "enter" ? after(draft, { path: draft.legs }) : draft.pose;
  draft.spots = along(draft, draft.lead);
  return draft;
}

/** Pieces in ranks about their middle. */
function blockAbout(draft: MoveDraft, centre: Placement, files: number): Record<string, Placement> {
  if (draft.pieces.length === 1) return { [draft.pieces[0]!]: centre };
  const spots = ranked(draft.pieces, files, draft.shape, centre);
  const { x, y } = middle(spots);
  return Object.fromEntries(Object.entries(spots).map(([id, s]) => [id, { ...s, x: round(s.x + centre.x - x), y: round(s.y + centre.y - y) }]));
}

export function middle(spots: Record<string, Placement>): Placement {
  const all = Object.values(spots);
  const mean = (key: keyof Placement) => round(all.reduce((sum, s) => sum + s[key], 0) / Math.max(1, all.length));
  return { x: mean("x"), y: mean("y"), z: mean("z"), facing: all[0]?.facing ?? 0 };
}

/** The pieces as they stand once their lead has come to a place. */
const along = (draft: MoveDraft, lead: Placement): Record<string, Placement> =>
  Object.fromEntries(draft.pieces.map((id) => [id, carried(draft.start[id]!, draft.pose, lead)]));

function led(draft: MoveDraft, lead: Placement): MoveDraft {
  if (!draft.scattered) return { ...draft, lead, spots: along(draft, lead) };
  const spots = Object.fromEntries(draft.pieces.map((id) => [id, carried(draft.spots[id]!, draft.lead, lead)]));
  return { ...draft, lead, spots };
}

/** Send the whole unit, or one model of it, to a place; `grab` is the piece that was taken hold of. */
export function sendTo(draft: MoveDraft, to: Spot, grab?: string, alone = false): MoveDraft {
  if (alone && grab && draft.spots[grab]) {
    const spot = { ...draft.spots[grab], x: round(to.x), y: round(to.y), z: round(to.z ?? draft.spots[grab].z) };
    return { ...draft, scattered: true, spots: { ...draft.spots, [grab]: spot } };
  }
  if (draft.form === "enter") return enterAt(draft, to);
  const held = grab ? draft.spots[grab] : undefined;
  const x = held ? draft.lead.x + to.x - held.x : to.x, y = held ? draft.lead.y + to.y - held.y : to.y;
  return led({ ...draft, legs: [] }, { ...draft.lead, x: round(x), y: round(y), z: round(to.z ?? draft.lead.z) });
}

/** Come on at the point of the edge beside `to`, and march up to it. */
function enterAt(draft: MoveDraft, to: Spot): MoveDraft {
  const sideways = draft.edge === "west" || draft.edge === "east";
  const pose = entry(draft.edge, round(sideways ? to.y : to.x), draft.table);
  const deep = Math.abs(sideways ? to.x - pose.x : to.y - pose.y);
  const legs: Leg[] = [{ how: "forward", inches: round(deep) }];
  const moved = { ...draft, pose, legs, start: ranked(draft.pieces, draft.files, draft.shape, pose) };
  return led(moved, after(moved, { path: legs }));
}

export function nudge(draft: MoveDraft, dx: number, dy: number): MoveDraft {
  if (manoeuvres(draft)) {
    const how = dy > 0 ? "forward" : dy < 0 ? "back" : dx > 0 ? "right" : "left";
    return manoeuvre(draft, stepped(draft.legs, how, Math.abs(dx || dy)));
  }
  return led({ ...draft, legs: [] }, { ...draft.lead, x: round(draft.lead.x + dx), y: round(draft.lead.y + dy) });
}

export function turn(draft: MoveDraft, degrees: number): MoveDraft {
  if (manoeuvres(draft)) return manoeuvre(draft, stepped(draft.legs, "wheel", degrees));
  return { ...led(draft, { ...draft.lead, facing: round((((draft.lead.facing + degrees) % 360) + 360) % 360) }), turned: true };
}

export const manoeuvres = (draft: MoveDraft) => draft.form === "enter" || (draft.form === "to" && draft.shape.kind === "rect");

export function manoeuvre(draft: MoveDraft, legs: Leg[]): MoveDraft {
  return led({ ...draft, legs }, after(draft, { path: legs }));
}

/** More or fewer files in front. */
export function widen(draft: MoveDraft, by: number): MoveDraft {
  const files = Math.min(draft.pieces.length, Math.max(1, draft.files + by));
  const wide = { ...draft, files, wide: files * draft.shape.width };
  if (draft.form === "enter") return led({ ...wide, start: ranked(draft.pieces, files, draft.shape, draft.pose) }, draft.lead);
  return led({ ...wide, start: blockAbout(wide, draft.pose, files) }, draft.lead);
}

/** What stands now becomes a place to pass; `taken` is the way there that the umpire allows. */
export function addWaypoint(draft: MoveDraft, taken: Leg[] = [...draft.via, ...lastLegs(draft)]): MoveDraft {
  return led({ ...draft, via: taken }, waypoints(draft, { path: taken }).at(-1)!);
}

/** Take the last leg back: the one in hand, or the one before it. */
export function dropLeg(draft: MoveDraft): MoveDraft {
  if (manoeuvres(draft)) return manoeuvre(draft, draft.legs.slice(0, -1));
  const via = lastLegs(draft).length ? draft.via : draft.via.slice(0, -1);
  return led({ ...draft, via }, waypoints(draft, { path: via }).at(-1)!);
}

/** Give a leg its manner; the one after the last of `via` is the one in hand. */
export function setHow(draft: MoveDraft, how: string, at = draft.via.length): MoveDraft {
  if (at >= draft.via.length) return { ...draft, how };
  return { ...draft, via: draft.via.map((leg, i) => (i === at ? { x: leg.x, y: leg.y, z: leg.z, how } : leg)) };
}

/** Lengthen or shorten one of the manoeuvres. */
export function stretch(draft: MoveDraft, at: number, by: number): MoveDraft {
  const legs = draft.legs.flatMap((leg, i): Leg[] => {
    if (i !== at) return [leg];
    if (leg.degrees !== undefined) return leg.degrees + by * Math.sign(leg.degrees) ? [{ ...leg, degrees: round(leg.degrees + by * Math.sign(leg.degrees)) }] : [];
    const inches = round((leg.inches ?? 0) + by);
    return inches > 0 ? [{ ...leg, inches }] : [];
  });
  return manoeuvre(draft, legs);
}

/** To the next floor above or below; a climb may also end half-way. */
export function lift(draft: MoveDraft, floors: number[], up: boolean): MoveDraft {
  const { z } = draft.lead;
  const next = up ? floors.find((f) => f > z + 0.01) : floors.findLast((f) => f < z - 0.01);
  return next === undefined ? draft : led(draft, { ...draft.lead, z: round(next) });
}

/** The leg in hand. A climb goes straight up before it goes across, and across before it goes straight down. */
function lastLegs(draft: MoveDraft): Leg[] {
  const from = waypoints(draft, { path: draft.via }).at(-1)!;
  const { lead: to, how, template, turned } = draft;
  const level = Math.hypot(to.x - from.x, to.y - from.y) < 0.001;
  if (draft.via.length && level && Math.abs(to.z - from.z) < 0.001 && !turned) return [];
  const like = template.path?.at(-1);
  const facing = turned || like?.facing !== undefined ? { facing: to.facing } : {};
  if (!how) return [{ x: to.x, y: to.y, ...(to.z || like?.z !== undefined ? { z: to.z } : {}), ...facing }];
  const last: Leg = { how, x: to.x, y: to.y, z: to.z, ...facing };
  if (how !== "climb" || level || Math.abs(to.z - from.z) < 0.001) return [last];
  return [to.z > from.z ? { how, x: from.x, y: from.y, z: to.z } : { how, x: to.x, y: to.y, z: from.z }, last];
}

/** Is the way drawn by hand, leg by leg? Then the umpire judges that way and looks for no other. */
export const byHand = (draft: MoveDraft) => draft.via.length > 0 || draft.how !== "" || draft.legs.length > 0;

export function answerOf(draft: MoveDraft): Placed | Moved | Written {
  const write = (spot: Placement, like: Partial<Spot> | undefined): Spot => ({
    x: spot.x,
    y: spot.y,
    ...(spot.z || like?.z !== undefined ? { z: spot.z } : {}),
    ...(draft.turned || like?.facing !== undefined ? { facing: spot.facing } : {}),
  });
  const { template, lead } = draft;
  const models = () => ({ models: Object.fromEntries(draft.pieces.map((id) => [id, write(draft.spots[id]!, template.models?.[id])])) });
  if (draft.scattered) return models();
  switch (draft.form) {
    case "spot":
      return write(lead, template);
    case "block":
      return { ...write(lead, template), files: draft.files };
    case "path":
      return { path: [...draft.via, ...lastLegs(draft)] };
    case "to":
      return draft.legs.length ? { path: draft.legs } : { to: write(lead, draft.shape.kind === "rect" ? {} : undefined) };
    case "enter": {
      const sideways = draft.edge === "west" || draft.edge === "east";
      return { edge: draft.edge, at: sideways ? draft.pose.y : draft.pose.x, files: draft.files, path: draft.legs };
    }
    case "models":
      return models();
  }
}

/** The same wish as a goal without a way, where only its end was drawn. */
export function goalOf(draft: MoveDraft): Written | null {
  const { x, y, z } = draft.lead;
  return draft.kind === "move" && draft.form === "path" && !byHand(draft) ? { to: { x, y, z } } : null;
}

/** Where the lead stands after an answer. */
function after(draft: MoveDraft, answer: Written): Placement {
  return waypoints(draft, answer).at(-1)!;
}

/** Every place the lead passes. */
function waypoints(draft: MoveDraft, answer: Written): Placement[] {
  const way = [answer.edge === undefined ? draft.pose : entry(answer.edge, answer.at ?? 0, draft.table)];
  if (answer.to) way.push(full(answer.to, way[0]));
  else if (answer.x !== undefined && !answer.path) way.push(full(answer, way[0]));
  for (const leg of answer.path ?? []) {
    const here = way.at(-1)!;
    way.push(isManoeuvre(leg) ? manoeuvred(here, draft.wide, leg) : full(leg, here));
  }
  return way;
}

/** Where the pieces would stand after an answer. */
export function spotsAfter(draft: MoveDraft, answer: Json): Record<string, Placement> {
  const given = (answer ?? {}) as Written;
  if (given.models) {
    const models = given.models;
    return Object.fromEntries(draft.pieces.map((id) => [id, full(models[id] ?? {}, draft.start[id])]));
  }
  const way = waypoints(draft, given);
  if (given.edge !== undefined) return along({ ...draft, pose: way[0]!, start: ranked(draft.pieces, given.files ?? draft.files, draft.shape, way[0]!) }, way.at(-1)!);
  if (given.files !== undefined) return blockAbout(draft, way.at(-1)!, given.files);
  return along(draft, way.at(-1)!);
}

/** The draft as it looks once an answer lies on the table, so that the hand can go on from there. */
export function shown(draft: MoveDraft, answer: Json): MoveDraft {
  const given = (answer ?? {}) as Written;
  const lead = given.models ? draft.lead : after(draft, given);
  return { ...draft, lead, spots: spotsAfter(draft, answer), legs: given.path?.some(isManoeuvre) ? given.path : draft.legs };
}

/** Does another answer end where this one wished to? The umpire may know a way round that the hand did not draw. */
export const arrives = (draft: MoveDraft, answer: Json, wish: Json) => shortOf(draft, answer, wish) < 0.05;

/** How far from where one answer wished to be another ends. */
export function shortOf(draft: MoveDraft, answer: Json, wish: Json): number {
  const [there, wished] = [spotsAfter(draft, answer), spotsAfter(draft, wish)];
  return Math.max(...draft.pieces.map((id) => legLength(there[id]!, wished[id]!)));
}

/** A line that a piece or a block moves along. */
export type Way = (Placement & { how: string; cost: number })[];

/** The way an answer takes: as the umpire has said, else as the hand has drawn it, else straight. */
export function ways(draft: MoveDraft, answer: Json, ruling: Ruling | null): Way[] {
  if (draft.kind === "place") return [];
  const told = Object.entries(ruling?.path ?? {});
  if (told.length) return told.map(([id, legs]) => [{ ...(draft.start[id] ?? draft.pose), how: "", cost: 0 }, ...legs.flatMap(stretches)]);
  const given = (answer ?? {}) as Written;
  const line = (way: Placement[]): Way => way.map((spot, i) => ({ ...spot, how: given.path?.[i - 1]?.how ?? "", cost: i ? legLength(way[i - 1]!, spot) : 0 }));
  if (!given.models) return [line(waypoints(draft, given))];
  const spots = spotsAfter(draft, answer);
  return draft.pieces.map((id) => line([draft.start[id]!, spots[id]!]));
}

/** Where a leg leads; a jump goes across at one height before it goes down. */
function stretches(leg: Leg): Way {
  const end = { ...full(leg), how: leg.how ?? "", cost: leg.cost ?? 0 };
  return leg.drop ? [{ ...end, z: round(end.z + leg.drop) }, { ...end, how: "drop", cost: 0 }] : [end];
}

/** The legs of a way, to go on from where it ends; the downward part of a jump belongs to the jump. */
export function legsOf(way: Way): Leg[] {
  return way.slice(1).flatMap(({ x, y, z, how }, i) => (how === "drop" ? [] : [{ how: how || "walk", x, y, z: way[i + 2]?.how === "drop" ? way[i + 2]!.z : z }]));
}

export const legLength = (a: Placement, b: Placement) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

export const isMoving = (decision: Decision | null): decision is Place | Move =>
  decision?.kind === "place" || decision?.kind === "move";

/** Pieces that a question puts on the table, as they would be drawn. */
export function newPieces(decision: Place | Move, draft: MoveDraft, picture: Picture): Piece[] {
  const known = new Set(picture.pieces.map((p) => p.id));
  return draft.pieces
    .filter((id) => !known.has(id))
    .map((id) => {
      const drawn = decision.data?.shapes?.[id];
      const card = picture.cards.find((c) => c.pieces.includes(id) || c.id === id || c.id === decision.about);
      const kin = picture.pieces.find((p) => p.icon && p.icon === card?.icon);
      return {
        id,
        unit: card?.id ?? decision.about,
        side: decision.side,
        shape: shapeOf(decision, id, picture),
        height: drawn?.height ?? kin?.height ?? 1.3,
        icon: drawn?.icon ?? card?.icon ?? "",
        models: kin?.models ?? 1,
        wounds: null,
        wounds_max: null, figure: "foot",
        ...draft.spots[id]!,
      };
    });
}
