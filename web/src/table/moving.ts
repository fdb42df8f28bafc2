/** Where pieces would stand: turning what a hand does on the table into an answer, and an answer into places. No rule here. */
import type { AboutMoving, Decision, Json, Leg, Move, Moved, Picture, Piece, Place, Placed, Shape, Spot } from "../protocol";

export type Form = "spot" | "path" | "models";
export type Placement = Required<Spot>;

export interface MoveDraft {
  kind: "place" | "move";
  form: Form;
  pieces: string[];
  /** Where the pieces stand before the move, or where the suggestion put them. */
  start: Record<string, Placement>;
  /** Where they are wished to stand. */
  spots: Record<string, Placement>;
  /** Places the first piece passes before its last. */
  via: Placement[];
  turned: boolean;
  /** The legs are written with a height or a facing even where these are zero, as the game writes them. */
  template: Json;
}

const full = (spot: Partial<Spot>, other?: Placement): Placement => ({
  x: spot.x ?? other?.x ?? 0,
  y: spot.y ?? other?.y ?? 0,
  z: spot.z ?? other?.z ?? 0,
  facing: spot.facing ?? other?.facing ?? 0,
});

const round = (value: number) => Math.round(value * 1000) / 1000;

export function piecesOf(decision: { about: string; data?: AboutMoving }, picture: Picture): string[] {
  if (decision.data?.pieces?.length) return decision.data.pieces;
  if (picture.pieces.some((p) => p.id === decision.about)) return [decision.about];
  const card = picture.cards.find((c) => c.id === decision.about);
  const own = picture.pieces.filter((p) => p.unit === decision.about).map((p) => p.id);
  return own.length ? own : (card?.pieces ?? (decision.about ? [decision.about] : []));
}

export function formOf(decision: Place | Move, template: Json): Form {
  if (decision.data?.form) return decision.data.form;
  for (const shown of [template, decision.default] as (Moved | undefined)[]) {
    if (shown?.models) return "models";
    if (shown?.path) return "path";
  }
  return decision.kind === "place" ? "spot" : "path";
}

/** Start a draft. `template` is a legal answer that the server suggested, or null. */
export function begin(decision: Place | Move, picture: Picture, template: Json): MoveDraft {
  const form = formOf(decision, template);
  const shown = (template ?? decision.default ?? {}) as Moved & Partial<Spot>;
  const pieces = form === "models" && shown.models ? Object.keys(shown.models) : piecesOf(decision, picture);
  const start: Record<string, Placement> = {};
  const middle = { x: picture.width / 2, y: picture.depth / 2, z: 0, facing: 0 };
  pieces.forEach((id, i) => {
    const piece = picture.pieces.find((p) => p.id === id);
    const suggested = shown.models?.[id] ?? (form === "spot" && shown.x !== undefined ? shown : undefined);
    const row = { ...middle, x: middle.x + (i - (pieces.length - 1) / 2) * 1.3 };
    start[id] = piece && decision.kind === "move" ? full(piece) : full(suggested ?? piece ?? row);
  });
  return { kind: decision.kind, form, pieces, start, spots: { ...start }, via: [], turned: false, template: template ?? decision.default };
}

export function centre(spots: Record<string, Placement>): Placement {
  const all = Object.values(spots);
  const mean = (key: keyof Placement) => all.reduce((sum, s) => sum + s[key], 0) / Math.max(1, all.length);
  return { x: mean("x"), y: mean("y"), z: mean("z"), facing: all[0]?.facing ?? 0 };
}

function map(draft: MoveDraft, ids: string[], change: (spot: Placement) => Placement): MoveDraft {
  const spots = { ...draft.spots };
  for (const id of ids) if (spots[id]) spots[id] = change(spots[id]);
  return { ...draft, spots };
}

/** Send the whole unit, or one model of it, to a place; `grab` is the piece that was taken hold of. */
export function sendTo(draft: MoveDraft, to: Spot, grab?: string, alone = false): MoveDraft {
  const ids = alone && grab ? [grab] : draft.pieces;
  const from = (grab && draft.spots[grab]) || centre(draft.spots);
  const dx = to.x - from.x, dy = to.y - from.y;
  return map(draft, ids, (s) => ({ ...s, x: round(s.x + dx), y: round(s.y + dy), z: round(to.z ?? s.z) }));
}

export function nudge(draft: MoveDraft, dx: number, dy: number): MoveDraft {
  return map(draft, draft.pieces, (s) => ({ ...s, x: round(s.x + dx), y: round(s.y + dy) }));
}

export function turn(draft: MoveDraft, degrees: number): MoveDraft {
  const { x, y } = centre(draft.spots);
  const angle = (-degrees * Math.PI) / 180;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  const turned = map(draft, draft.pieces, (s) => ({
    ...s,
    x: round(x + (s.x - x) * cos - (s.y - y) * sin),
    y: round(y + (s.x - x) * sin + (s.y - y) * cos),
    facing: round((((s.facing + degrees) % 360) + 360) % 360),
  }));
  return { ...turned, turned: true };
}

/** What stands now becomes a place to pass. */
export function addWaypoint(draft: MoveDraft): MoveDraft {
  return { ...draft, via: [...draft.via, lead(draft)] };
}

const lead = (draft: MoveDraft): Placement =>
  draft.pieces.length === 1 ? draft.spots[draft.pieces[0]!]! : centre(draft.spots);

export function answerOf(draft: MoveDraft): Placed | Moved {
  const write = (spot: Placement, like: Leg | undefined): Spot => ({
    x: spot.x,
    y: spot.y,
    ...(spot.z || like?.z !== undefined ? { z: spot.z } : {}),
    ...(draft.turned || like?.facing !== undefined ? { facing: spot.facing } : {}),
  });
  const shown = (draft.template ?? {}) as Moved & Leg;
  if (draft.form === "spot") return write(lead(draft), shown);
  if (draft.form === "path") {
    const like = shown.path?.at(-1);
    return { path: [...draft.via, lead(draft)].map((spot) => write(spot, like)) };
  }
  return { models: Object.fromEntries(draft.pieces.map((id) => [id, write(draft.spots[id]!, shown.models?.[id])])) };
}

/** Where the pieces would stand after an answer. */
export function spotsAfter(draft: MoveDraft, answer: Json): Record<string, Placement> {
  const given = (answer ?? {}) as Moved & Partial<Spot>;
  if (given.models) {
    const models = given.models;
    return Object.fromEntries(draft.pieces.map((id) => [id, full(models[id] ?? {}, draft.start[id])]));
  }
  const legs = given.path ?? (given.x === undefined ? [] : [given as Leg]);
  const from = draft.pieces.length === 1 ? draft.start[draft.pieces[0]!]! : centre(draft.start);
  const end = legs.reduce((at, leg) => full(leg, at), from);
  if (draft.pieces.length === 1) return { [draft.pieces[0]!]: end };
  const turnBy = end.facing - from.facing;
  const moved = nudge({ ...draft, spots: draft.start }, end.x - from.x, end.y - from.y);
  return (turnBy ? turn(moved, turnBy) : moved).spots;
}

/** Does another answer end where this one wished to? The umpire may know a way round that the hand did not draw. */
export function arrives(draft: MoveDraft, answer: Json, wish: Json): boolean {
  const [there, wished] = [spotsAfter(draft, answer), spotsAfter(draft, wish)];
  return draft.pieces.every((id) => legLength(there[id]!, wished[id]!) < 0.05);
}

/** The way an answer takes, from where the pieces stood: one line for every piece that moves. */
export function ways(draft: MoveDraft, answer: Json): Placement[][] {
  if (draft.kind === "place") return [];
  const given = (answer ?? {}) as Moved;
  if (given.path) {
    const from = draft.pieces.length === 1 ? draft.start[draft.pieces[0]!]! : centre(draft.start);
    const way = [from];
    for (const leg of given.path) way.push(full(leg, way.at(-1)));
    return [way];
  }
  const after = spotsAfter(draft, answer);
  return draft.pieces.map((id) => [draft.start[id]!, after[id]!]);
}

export const legLength = (a: Placement, b: Placement) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

export const isMoving = (decision: Decision | null): decision is Place | Move =>
  decision?.kind === "place" || decision?.kind === "move";

/** Pieces that a question puts on the table, as they would be drawn. */
export function newPieces(decision: Place | Move, draft: MoveDraft, picture: Picture): Piece[] {
  const known = new Set(picture.pieces.map((p) => p.id));
  const disc: Shape = { kind: "round", width: 1.26, depth: 1.26, points: [] };
  return draft.pieces
    .filter((id) => !known.has(id))
    .map((id) => {
      const drawn = decision.data?.shapes?.[id];
      const card = picture.cards.find((c) => c.pieces.includes(id) || c.id === id || c.id === decision.about);
      const kin = picture.pieces.find((p) => p.icon === card?.icon);
      return {
        id,
        unit: card?.id ?? decision.about,
        side: decision.side,
        shape: drawn?.shape ?? kin?.shape ?? disc,
        height: drawn?.height ?? kin?.height ?? 1.3,
        icon: drawn?.icon ?? card?.icon ?? "",
        models: 1,
        wounds: null,
        wounds_max: null,
        ...draft.spots[id]!,
      };
    });
}
