/** What a hand does on the table, written as an answer in the form that the question tells. No rule and no guess here. */
import type { Decision, Form, Leg, Move, Moved, Picture, Piece, Place, Placed, Ruling, Spot, Stretch } from "../protocol";
import { carried, leading, round, stepped, turning, type Placement } from "./formation";

export type { Placement } from "./formation";

export interface MoveDraft {
  kind: "place" | "move";
  form: Form;
  pieces: string[];
  /** Where the pieces and what leads them stand when the question is put. */
  start: Record<string, Placement>;
  pose: Placement;
  /** Where they are wished to stand: as the hand has carried them, then as the umpire says. */
  spots: Record<string, Placement>;
  lead: Placement;
  /** Legs before the last. */
  via: Leg[];
  /** The manner of the last leg; empty: whatever way the umpire finds. */
  how: string;
  /** Manoeuvres given one by one. */
  legs: Leg[];
  /** The edge and the point of it where manoeuvres begin that bring a block on. */
  gate: Pick<Moved, "edge" | "at">;
  files: number | null;
  turned: boolean;
  scattered: boolean;
}

export const full = (spot: Partial<Spot> | Stretch | null | undefined, other?: Placement): Placement => ({
  x: spot?.x ?? other?.x ?? 0,
  y: spot?.y ?? other?.y ?? 0,
  z: spot?.z ?? other?.z ?? 0,
  facing: spot?.facing ?? other?.facing ?? 0,
});

/** Start a draft: everything that is needed stands in the question. */
export function begin(decision: Place | Move, picture: Picture): MoveDraft {
  const { form, hand } = decision;
  const drawn = new Map(picture.pieces.map((p) => [p.id, p]));
  const start = Object.fromEntries(form.pieces.map((id) => [id, full(hand.stands[id] ?? drawn.get(id))]));
  const only = form.pieces.length === 1 ? start[form.pieces[0]!] : undefined;
  const pose = full(hand.lead ?? only ?? middle(start), only);
  const usual = (decision.default ?? {}) as Moved & Placed;
  return {
    kind: decision.kind, form, pieces: form.pieces, start, pose, spots: start, lead: pose, via: [], how: "", legs: form.edges.length ? (usual.path ?? []) : [],
    gate: form.edges.length ? { ...(usual.edge === undefined ? {} : { edge: usual.edge }), ...(usual.at === undefined ? {} : { at: usual.at }) } : {},
    files: usual.files ?? null, turned: false, scattered: false,
  };
}

export function middle(spots: Record<string, Placement>): Placement {
  const all = Object.values(spots);
  const mean = (key: keyof Placement) => round(all.reduce((sum, s) => sum + s[key], 0) / Math.max(1, all.length));
  return { x: mean("x"), y: mean("y"), z: mean("z"), facing: all[0]?.facing ?? 0 };
}

/** The pieces as they stand once their lead has been carried to a place. */
export function led(draft: MoveDraft, lead: Placement): MoveDraft {
  const spots = Object.fromEntries(draft.pieces.map((id) => [id, carried(draft.spots[id]!, draft.lead, lead)]));
  return { ...draft, lead, spots };
}

/** Send the whole unit, or one model of it, to a place; `grab` is the piece that was taken hold of. */
export function sendTo(draft: MoveDraft, to: Spot, grab?: string, alone = false): MoveDraft {
  const held = grab ? draft.spots[grab] : undefined;
  if (alone && grab && held) {
    const spot = { ...held, x: round(to.x), y: round(to.y), z: round(to.z ?? held.z) };
    return { ...draft, scattered: true, spots: { ...draft.spots, [grab]: spot } };
  }
  const x = held ? draft.lead.x + to.x - held.x : to.x, y = held ? draft.lead.y + to.y - held.y : to.y;
  return led({ ...draft, legs: [] }, { ...draft.lead, x: round(x), y: round(y), z: round(to.z ?? draft.lead.z) });
}

/** Is this moved by manoeuvres, so many inches or degrees at a time? */
export const manoeuvres = (draft: MoveDraft) => draft.form.manners.some((manner) => manner.by !== "place");
/** Does it stand on the table already, where its ranks are formed anew? */
export const reforms = (draft: MoveDraft, picture: Picture) => draft.kind === "place" && draft.form.files !== undefined && picture.pieces.some((piece) => draft.pieces.includes(piece.id));
/** Is its way drawn from place to place? */
export const draws = (draft: MoveDraft) => draft.kind === "move" && draft.form.ways.includes("path") && !manoeuvres(draft);

export function nudge(draft: MoveDraft, dx: number, dy: number): MoveDraft {
  const manner = manoeuvres(draft) && leading(draft.form.manners, dy > 0 ? 0 : dy < 0 ? 180 : dx > 0 ? 90 : 270);
  if (manner) return drill(draft, manner.id, Math.abs(dx || dy));
  return led({ ...draft, legs: [] }, { ...draft.lead, x: round(draft.lead.x + dx), y: round(draft.lead.y + dy) });
}

export function turn(draft: MoveDraft, degrees: number): MoveDraft {
  const manner = manoeuvres(draft) && turning(draft.form.manners);
  if (manner) return drill(draft, manner.id, degrees);
  return { ...led(draft, { ...draft.lead, facing: round((((draft.lead.facing + degrees) % 360) + 360) % 360) }), turned: true };
}

/** One more step of a manoeuvre; where it leads the umpire says. */
export function drill(draft: MoveDraft, how: string, amount: number): MoveDraft {
  const manner = draft.form.manners.find((m) => m.id === how);
  return manner ? { ...draft, legs: stepped(draft.legs, manner, amount, draft.form.manners) } : draft;
}

/** More or fewer files in front. */
export function widen(draft: MoveDraft, by: number): MoveDraft {
  if (!draft.form.files) return draft;
  const [least, most] = draft.form.files;
  return { ...draft, files: Math.min(most, Math.max(least, (draft.files ?? Math.ceil(Math.sqrt(draft.pieces.length))) + by)) };
}

/** What stands now becomes a place to pass; `taken` is the way there that the umpire allows. */
export function addWaypoint(draft: MoveDraft, taken: Leg[] = [...draft.via, ...lastLegs(draft)]): MoveDraft {
  return { ...led(draft, endOf(draft, taken)), via: taken };
}

/** Take the last leg back: the one in hand, or the one before it. */
export function dropLeg(draft: MoveDraft): MoveDraft {
  if (manoeuvres(draft)) return { ...draft, legs: draft.legs.slice(0, -1) };
  const via = lastLegs(draft).length ? draft.via : draft.via.slice(0, -1);
  return { ...led(draft, endOf(draft, via)), via };
}

const endOf = (draft: MoveDraft, legs: Leg[]): Placement => legs.reduce((at, leg) => full(leg, at), draft.pose);

/** Give a leg its manner; the one after the last of `via` is the one in hand. */
export function setHow(draft: MoveDraft, how: string, at = draft.via.length): MoveDraft {
  if (at >= draft.via.length) return { ...draft, how };
  const only = ({ x, y, z }: Leg): Leg => ({ ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }), ...(z === undefined ? {} : { z }), how });
  return { ...draft, via: draft.via.map((leg, i) => (i === at ? only(leg) : leg)) };
}

/** Lengthen or shorten one of the manoeuvres. */
export function stretch(draft: MoveDraft, at: number, by: number): MoveDraft {
  const legs = draft.legs.flatMap((leg, i): Leg[] => {
    if (i !== at) return [leg];
    if (leg.degrees !== undefined) {
      const degrees = round(leg.degrees + by * Math.sign(leg.degrees));
      return degrees ? [{ ...leg, degrees }] : [];
    }
    const inches = round((leg.inches ?? 0) + by);
    return inches > 0 ? [{ ...leg, inches }] : [];
  });
  return { ...draft, legs };
}

/** To the next floor above or below. */
export function lift(draft: MoveDraft, floors: number[], up: boolean): MoveDraft {
  const { z } = draft.lead;
  const next = up ? floors.find((f) => f > z + 0.01) : floors.findLast((f) => f < z - 0.01);
  return next === undefined ? draft : led(draft, { ...draft.lead, z: round(next) });
}

/** Do heights belong to this answer? */
const level = (draft: MoveDraft) => draft.form.start?.z !== undefined;

/** The leg in hand, where there is one. */
function lastLegs(draft: MoveDraft): Leg[] {
  const from = endOf(draft, draft.via);
  const { lead: to, how, turned } = draft;
  const there = Math.hypot(to.x - from.x, to.y - from.y) < 0.001 && Math.abs(to.z - from.z) < 0.001;
  if (draft.via.length && there && !turned) return [];
  return [{ ...(how ? { how } : {}), x: to.x, y: to.y, ...(how || (level(draft) && to.z !== from.z) ? { z: to.z } : {}), ...(turned ? { facing: to.facing } : {}) }];
}

/** Is the way drawn by hand, leg by leg? Then the umpire judges that way and looks for no other. */
export const byHand = (draft: MoveDraft) => draft.via.length > 0 || draft.how !== "" || draft.legs.length > 0;

/** The answer that the hand has made. */
export function answerOf(draft: MoveDraft): Placed | Moved {
  const { form, lead, kind } = draft;
  const files = form.files && draft.files !== null ? { files: draft.files } : {};
  const write = (spot: Placement): Spot => ({
    x: spot.x,
    y: spot.y,
    ...(level(draft) || spot.z ? { z: spot.z } : {}),
    ...(draft.turned || (kind === "place" && form.facing) ? { facing: spot.facing } : {}),
  });
  const models = () => ({ models: Object.fromEntries(draft.pieces.map((id) => [id, write(draft.spots[id]!)])) });
  if (draft.scattered && form.ways.includes("models")) return models();
  if (kind === "place") return form.ways.includes("spot") ? { ...write(lead), ...files } : models();
  if (draft.legs.length) return { ...draft.gate, ...files, path: draft.legs };
  if (draws(draft) && byHand(draft)) return { path: [...draft.via, ...lastLegs(draft)] };
  if (form.ways.includes("to")) return { to: write(lead), ...files };
  return form.ways.includes("models") ? models() : { path: [...draft.via, ...lastLegs(draft)] };
}

/** The draft with everything where the umpire says it would stand. */
export function stood(draft: MoveDraft, ruling: Ruling): MoveDraft {
  const spots = Object.fromEntries(draft.pieces.map((id) => [id, full(ruling.stands[id], draft.spots[id])]));
  return { ...draft, spots, lead: full(ruling.lead, draft.lead) };
}

/** The way of what would be done spelt out: its legs to go on from, and where it comes on. */
export function spelt(draft: MoveDraft, ruling: Ruling): MoveDraft {
  const said = (ruling.spelt ?? {}) as Moved;
  if (!manoeuvres(draft) || !said.path) return draft;
  const gate = draft.form.edges.length ? { ...(said.edge === undefined ? {} : { edge: said.edge }), ...(said.at === undefined ? {} : { at: said.at }) } : {};
  return { ...draft, legs: said.path, gate };
}

/** Where the pieces would stand by what the umpire allows; where they began if nothing is allowed. */
export const standsBy = (draft: MoveDraft, ruling: Ruling): Record<string, Placement> =>
  Object.fromEntries(draft.pieces.map((id) => [id, full(ruling.stands[id], draft.start[id])]));

/** A line that a piece or a block moves along. */
export type Way = (Placement & { how: string; cost: number })[];

/** The ways of everything that would move, as the umpire has said. */
export function ways(draft: MoveDraft, ruling: Ruling | null): Way[] {
  if (draft.kind === "place" || !ruling) return [];
  return Object.entries(ruling.path).map(([id, legs]) => [{ ...(draft.start[id] ?? draft.pose), how: "", cost: 0 }, ...legs.flatMap(stretches)]);
}

/** Where a leg leads; a jump goes across at one height before it goes down. */
function stretches(leg: Stretch): Way {
  const end = { ...full(leg), how: leg.how ?? "", cost: leg.cost ?? 0 };
  return leg.drop ? [{ ...end, z: round(end.z + leg.drop) }, { ...end, how: "drop", cost: 0 }] : [end];
}

export const isMoving = (decision: Decision | null): decision is Place | Move =>
  decision?.kind === "place" || decision?.kind === "move";

/** Pieces that a question puts on the table, as they would be drawn. */
export function newPieces(decision: Place | Move, draft: MoveDraft, picture: Picture): Piece[] {
  const known = new Set(picture.pieces.map((p) => p.id));
  return draft.pieces.flatMap((id): Piece[] => {
    const held = draft.form.shapes[id];
    if (known.has(id) || !held) return [];
    const card = picture.cards.find((c) => c.pieces.includes(id) || c.id === id || c.id === decision.about);
    return [{
      id, unit: card?.id ?? decision.about, side: decision.side, shape: held.shape, height: held.height, icon: held.icon,
      models: 1, wounds: null, wounds_max: null, figure: held.figure, ...draft.spots[id]!,
    }];
  });
}
