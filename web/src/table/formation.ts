/** Blocks of pieces that move as one: where their front is, how they are carried, and manoeuvres as the books name them. */
import type { Leg, Piece, Shape, Spot } from "../protocol";

export type Placement = Required<Spot>;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
export const round = (value: number) => Math.round(value * 1000) / 1000;

/** Facing 0 looks away from the viewer, and turns clockwise. */
export function shifted(at: Placement, right: number, ahead: number): Placement {
  const [sin, cos] = [Math.sin(radians(at.facing)), Math.cos(radians(at.facing))];
  return { ...at, x: at.x + right * cos + ahead * sin, y: at.y - right * sin + ahead * cos };
}

/** Where something stands that was carried along when `from` came to `to`. */
export function carried(spot: Placement, from: Placement, to: Placement): Placement {
  const turn = to.facing - from.facing;
  const [sin, cos] = [Math.sin(radians(-turn)), Math.cos(radians(-turn))];
  const [dx, dy] = [spot.x - from.x, spot.y - from.y];
  return {
    x: round(to.x + dx * cos - dy * sin),
    y: round(to.y + dx * sin + dy * cos),
    z: round(spot.z + to.z - from.z),
    facing: round((((spot.facing + turn) % 360) + 360) % 360),
  };
}

/** The middle of the front edge of a block of rectangular bases, and how wide the block is. */
export function front(pieces: Pick<Piece, "x" | "y" | "z" | "facing" | "shape">[]): { pose: Placement; wide: number } {
  const { x, y, z, facing } = pieces[0]!;
  const origin = { x, y, z, facing };
  const [sin, cos] = [Math.sin(radians(facing)), Math.cos(radians(facing))];
  let [left, right, ahead] = [Infinity, -Infinity, -Infinity];
  for (const piece of pieces) {
    const [dx, dy] = [piece.x - x, piece.y - y];
    const [across, along] = [dx * cos - dy * sin, dx * sin + dy * cos];
    left = Math.min(left, across - piece.shape.width / 2);
    right = Math.max(right, across + piece.shape.width / 2);
    ahead = Math.max(ahead, along + piece.shape.depth / 2);
  }
  return { pose: shifted(origin, (left + right) / 2, ahead), wide: right - left };
}

/** Pieces in ranks of so many files, the middle of the front edge at `pose`. */
export function ranked(ids: string[], files: number, shape: Shape, pose: Placement): Record<string, Placement> {
  const gap = shape.kind === "rect" ? 0 : 0.1;
  const [wide, deep] = [shape.width + gap, (shape.depth || shape.width) + gap];
  return Object.fromEntries(
    ids.map((id, i) => {
      const rank = Math.floor(i / files);
      const here = Math.min(files, ids.length - rank * files);
      return [id, shifted(pose, ((i % files) - (here - 1) / 2) * wide, -(rank + 0.5) * deep)];
    }),
  );
}

export const isManoeuvre = (leg: Leg) => leg.inches !== undefined || leg.degrees !== undefined;

/** Carry a manoeuvre out from a front. A wheel turns about the front corner on the side it turns to. */
export function manoeuvred(pose: Placement, wide: number, leg: Leg): Placement {
  const inches = leg.inches ?? 0;
  switch (leg.how) {
    case "wheel": {
      const degrees = leg.degrees ?? 0;
      const corner = shifted(pose, degrees > 0 ? wide / 2 : -wide / 2, 0);
      return carried(pose, corner, { ...corner, facing: corner.facing + degrees });
    }
    case "left":
      return shifted(pose, -inches, 0);
    case "right":
      return shifted(pose, inches, 0);
    case "back":
      return shifted(pose, 0, -inches);
    default:
      return shifted(pose, 0, inches);
  }
}

/** One more step of a manoeuvre: it lengthens the last leg where that is the same, or shortens its opposite. */
export function stepped(legs: Leg[], how: string, amount: number): Leg[] {
  const opposite: Record<string, string> = { forward: "back", back: "forward", left: "right", right: "left" };
  const last = legs.at(-1);
  const rest = legs.slice(0, -1);
  if (how === "wheel") {
    const degrees = round((last?.how === "wheel" ? (last.degrees ?? 0) : 0) + amount);
    const before = last?.how === "wheel" ? rest : legs;
    return degrees ? [...before, { how, degrees }] : before;
  }
  if (last?.how === how) return [...rest, { how, inches: round((last.inches ?? 0) + amount) }];
  if (last && last.how === opposite[how]) {
    const inches = round((last.inches ?? 0) - amount);
    return inches > 0 ? [...rest, { how: last.how, inches }] : rest;
  }
  return [...legs, { how, inches: amount }];
}

const EDGES: Record<string, number> = { south: 0, west: 90, north: 180, east: 270 };

/** The front of a block that comes on at a place of a table edge. */
export function entry(edge: string, at: number, table: { width: number; depth: number }): Placement {
  const facing = EDGES[edge] ?? 0;
  const [x, y] = edge === "south" ? [at, 0] : edge === "north" ? [at, table.depth] : edge === "west" ? [0, at] : [table.width, at];
  return { x: x!, y: y!, z: 0, facing };
}
