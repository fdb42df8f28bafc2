/** What a ray from the eye meets first: a piece, a marker, or a floor. Table coordinates, in inches. */
import type { Block, Marker, Piece, Picture, Point, Point3 } from "../protocol";

export interface Ray {
  from: Point3;
  along: Point3;
}

export interface Picked {
  x: number;
  y: number;
  z: number;
  piece?: string;
  marker?: string;
  terrain?: string;
}

/** Blocks nobody stands on, however high they are. */
const NOT_A_FLOOR = new Set(["ladder", "door", "arch", "area", "water", "forest", "fence"]);

export function inside(points: Point[], x: number, y: number): boolean {
  let within = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[i]!, [bx, by] = points[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}

export function radiusOf(piece: Pick<Piece, "shape">): number {
  const { shape } = piece;
  if (shape.kind === "polygon") return Math.max(...shape.points.map(([x, y]) => Math.hypot(x, y)));
  return Math.max(shape.width, shape.depth) / 2;
}

function at(ray: Ray, t: number): Point3 {
  return [ray.from[0] + ray.along[0] * t, ray.from[1] + ray.along[1] * t, ray.from[2] + ray.along[2] * t];
}

/** Does the ray pass through the prism over a piece's base? The distance along it, or null. */
export function meets(ray: Ray, piece: Pick<Piece, "shape" | "x" | "y" | "z" | "facing" | "height">): number | null {
  const angle = (piece.facing * Math.PI) / 180;
  const cos = Math.cos(angle), sin = Math.sin(angle);
  const local = (x: number, y: number): Point => [x * cos - y * sin, x * sin + y * cos];
  const [ox, oy] = local(ray.from[0] - piece.x, ray.from[1] - piece.y);
  const [dx, dy] = local(ray.along[0], ray.along[1]);
  const round = piece.shape.kind === "round" || piece.shape.kind === "oval";
  const half = piece.shape.kind === "polygon" ? radiusOf(piece) : 0;
  const rx = half || piece.shape.width / 2 || 0.5, ry = half || piece.shape.depth / 2 || rx;
  let near = -Infinity, far = Infinity;
  const slab = (o: number, d: number, low: number, high: number) => {
    if (Math.abs(d) < 1e-9) {
      if (o < low || o > high) far = -Infinity;
      return;
    }
    const a = (low - o) / d, b = (high - o) / d;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  };
  slab(ray.from[2], ray.along[2], piece.z, piece.z + Math.max(piece.height, 0.3));
  if (round) {
    const x = ox / rx, y = oy / ry, u = dx / rx, v = dy / ry;
    const a = u * u + v * v, b = x * u + y * v, c = x * x + y * y - 1;
    if (a < 1e-12) {
      if (c > 0) return null;
    } else {
      const root = b * b - a * c;
      if (root < 0) return null;
      near = Math.max(near, (-b - Math.sqrt(root)) / a);
      far = Math.min(far, (-b + Math.sqrt(root)) / a);
    }
  } else {
    slab(ox, dx, -rx, rx);
    slab(oy, dy, -ry, ry);
  }
  return near <= far && far > 0 ? Math.max(near, 0) : null;
}

/** The first floor the ray meets; floors that start at or above `below` are faded and let it through. */
export function floorAt(ray: Ray, picture: Picture, below = Infinity): (Picked & { t: number }) | null {
  if (ray.along[2] >= -1e-6) return null;
  let best: (Picked & { t: number }) | null = null;
  const look = (height: number, holds: (x: number, y: number) => boolean, terrain?: string) => {
    const t = (height - ray.from[2]) / ray.along[2];
    if (t <= 0 || (best && t >= best.t)) return;
    const [x, y] = at(ray, t);
    if (holds(x, y)) best = { x, y, z: height, t, ...(terrain ? { terrain } : {}) };
  };
  look(0, () => true);
  for (const piece of picture.terrain)
    for (const block of piece.blocks)
      if (block.top > 0 && block.z < below && !NOT_A_FLOOR.has(block.kind))
        look(block.top, (x, y) => inside(block.points, x, y), piece.id);
  return best;
}

/** The heights one can stand at over a point, lowest first. */
export function floorsAt(picture: Picture, x: number, y: number): number[] {
  const tops = picture.terrain.flatMap((piece) =>
    piece.blocks.filter((b) => b.top > 0 && !NOT_A_FLOOR.has(b.kind) && inside(b.points, x, y)).map((b) => b.top));
  return [...new Set([0, ...tops])].sort((a, b) => a - b);
}

/** Is a block faded: it begins at `below` or higher, or it is over one of these pieces? */
export const faded = (block: Block, below: number, under: Piece[]): boolean =>
  block.z >= below || under.some((p) => block.z > p.z + OVERHEAD && inside(block.points, p.x, p.y));

/** So much higher than a piece's feet something is over it, in inches. */
const OVERHEAD = 0.4;

/** What a hand points at. `under`: pieces that can be seen through the floors above them, and taken hold of there. */
export function pick(ray: Ray, picture: Picture, pieces: Piece[], below = Infinity, under: Piece[] = []): Picked | null {
  const floor = floorAt(ray, picture, below);
  const solid = under.length ? floorAt(ray, { ...picture, terrain: picture.terrain.map((t) => ({ ...t, blocks: t.blocks.filter((b) => !faded(b, below, under)) })) }, below) : floor;
  const through = new Set(under.map((piece) => piece.id));
  let best = floor ? floor.t + 0.05 : Infinity;
  const behind = solid ? solid.t + 0.05 : Infinity;
  let found: Picked | null = floor;
  for (const piece of pieces) {
    if (piece.z >= below) continue;
    const t = meets(ray, piece);
    if (t !== null && t < (through.has(piece.id) && !found?.piece ? behind : best)) {
      best = t;
      found = { x: piece.x, y: piece.y, z: piece.z, piece: piece.id };
    }
  }
  for (const marker of picture.markers) {
    const t = meets(ray, asPiece(marker));
    if (t !== null && t < best) {
      best = t;
      found = { x: marker.x, y: marker.y, z: marker.z, marker: marker.id };
    }
  }
  if (found && floor && !found.piece && !found.marker) {
    const on = floor.z > 0 ? undefined : areaAt(picture, floor.x, floor.y);
    if (on) found.terrain = on;
  }
  return found;
}

const asPiece = (marker: Marker) => ({
  shape: { kind: "round" as const, width: marker.radius * 2, depth: marker.radius * 2, points: [] },
  x: marker.x,
  y: marker.y,
  z: marker.z,
  facing: 0,
  height: 0.3,
});

function areaAt(picture: Picture, x: number, y: number): string | undefined {
  return picture.terrain.find((piece) => piece.blocks.some((block) => inside(block.points, x, y)))?.id;
}
