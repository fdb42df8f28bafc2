/** A block is wheeled by its corners: whoever takes hold of one swings it about the other; held elsewhere it then goes on
 *  straight. */
import type { Leg, Piece } from "../protocol";
import { leading, round, stepped, turning, type Placement } from "./formation";
import { led, type MoveDraft } from "./moving";

type Point = [number, number];

export interface Corner {
  /** Where it is taken hold of, and about what it swings. */
  at: Point;
  pivot: Point;
  /** The way in which it may swing: clockwise is 1. */
  sign: 1 | -1;
}

/** How near a hand must be to a corner to take hold of it, and how far outside the bases its knob stands, in inches. */
export const GRIP = 0.7;
const OUTSIDE = 0.4;

/** Both front corners of a block that can wheel, the left one first; none of anything else. */
export function corners(move: MoveDraft | null, pieces: Pick<Piece, "id" | "shape">[]): Corner[] {
  if (!move || move.kind !== "move" || !turning(move.form.manners)) return [];
  const wide = new Map(pieces.map((piece) => [piece.id, piece.shape.width / 2]));
  const { lead } = move;
  const turn = (lead.facing * Math.PI) / 180;
  const [right, ahead]: Point[] = [[Math.cos(turn), -Math.sin(turn)], [Math.sin(turn), Math.cos(turn)]];
  const along = (spot: Placement) => (spot.x - lead.x) * right![0] + (spot.y - lead.y) * right![1];
  const ends = move.pieces.flatMap((id) => [along(move.spots[id]!) - (wide.get(id) ?? 0), along(move.spots[id]!) + (wide.get(id) ?? 0)]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const front = (across: number, out = 0): Point => [
    lead.x + right![0] * (across + Math.sign(across) * out) + ahead![0] * out,
    lead.y + right![1] * (across + Math.sign(across) * out) + ahead![1] * out,
  ];
  return [
    { at: front(least, OUTSIDE), pivot: front(most), sign: 1 },
    { at: front(most, OUTSIDE), pivot: front(least), sign: -1 },
  ];
}

/** The corner that a hand takes hold of here. */
export const cornerAt = (all: Corner[], x: number, y: number): Corner | undefined =>
  all.map((corner) => ({ corner, far: Math.hypot(corner.at[0] - x, corner.at[1] - y) })).filter(({ far }) => far < GRIP).sort((a, b) => a.far - b.far)[0]?.corner;

const bearing = ([x, y]: Point, [px, py]: Point) => (Math.atan2(x - px, y - py) * 180) / Math.PI;

/** So many degrees a corner has swung when the hand is here; backwards it does not go. */
export function swung({ at, pivot, sign }: Corner, x: number, y: number): number {
  const turn = ((((bearing([x, y], pivot) - bearing(at, pivot) + 180) % 360) + 360) % 360) - 180;
  return turn * sign > 0 ? Math.round(turn * 10) / 10 : 0;
}

/** The manoeuvres so far, and this wheel. */
export function wheeled(move: MoveDraft, before: Leg[], degrees: number): MoveDraft {
  const manner = turning(move.form.manners);
  return manner ? { ...move, legs: degrees ? [...before, { how: manner.id, degrees: round(degrees) }] : before } : move;
}

/** The manoeuvres so far, and then so far straight on as the hand goes: forward, or whichever way it mostly goes if the block
 *  may march that way. */
export function straight(before: MoveDraft, dx: number, dy: number): MoveDraft {
  const turn = (before.lead.facing * Math.PI) / 180;
  const { manners } = before.form;
  const ways = [0, 90, 180, 270].flatMap((towards) => {
    const manner = leading(manners, towards);
    const along = turn + (towards * Math.PI) / 180;
    return manner ? [{ manner, sin: Math.sin(along), cos: Math.cos(along), far: round(dx * Math.sin(along) + dy * Math.cos(along)) }] : [];
  });
  const way = ways.sort((a, b) => b.far - a.far)[0];
  if (!way || way.far <= 0) return before;
  const { x, y } = before.lead;
  const moved = led(before, { ...before.lead, x: round(x + way.sin * way.far), y: round(y + way.cos * way.far) });
  return { ...moved, legs: stepped(before.legs, way.manner, way.far, manners) };
}
