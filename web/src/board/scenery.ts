/** What terrain looks like: ruins of broken courses, woods, hills with contours, planks, water. Each block stays inside the
 * prism that the rules measure, and its true edges are inked. */
import { Color } from "three";
import type { Block, Point } from "../protocol";
import { anticlockwise, chance, Clay } from "./clay";
import type { Look } from "./look";

export interface Tree {
  x: number;
  y: number;
  z: number;
  tall: number;
  wide: number;
}

const STONES = new Set(["wall", "arch", "obstacle", "ruin"]);
/** What lies flat on the ground. */
export const FLAT = new Set(["area", "water", "forest", "hazard"]);

export const isFlat = (block: Block): boolean => FLAT.has(block.kind) || block.top <= block.z;

const shade = (colour: Color, by: number) => colour.clone().multiplyScalar(1 + by);
const seedOf = (points: Point[]) => points.reduce((sum, [x, y], i) => sum + (i + 1) * (x * 3.1 + y * 7.7), 0);

export function carve(block: Block, look: Look, clay: Clay): void {
  const colour = new Color(look.blocks[block.kind] ?? look.blocks.obstacle!);
  const { kind, points, z, top } = block;
  if (kind === "ladder") ladder(block, colour, clay);
  else if (kind === "fence") fence(block, colour, clay);
  else if (kind === "hill") hill(block, colour, clay);
  else if (kind === "floor" || kind === "platform") planks(block, colour, clay);
  else if (kind === "trunk") trunk(block, colour, clay);
  else if (kind === "statue") statue(block, colour, clay);
  else if (kind === "building") house(block, colour, clay);
  else if (STONES.has(kind) && top - z > 0.4) stones(block, colour, clay);
  else clay.prism(points, z, top, shade(colour, -0.1), colour);
}

/** Courses of stone with staggered joints; the top one is broken. */
function stones({ points: outline, z, top }: Block, colour: Color, clay: Clay): void {
  const points = anticlockwise(outline);
  const seed = seedOf(points);
  const rows = Math.max(2, Math.round((top - z) / 0.42));
  const high = (top - z) / rows;
  clay.top(points, top - high * 0.5, shade(colour, 0.06));
  points.forEach((a, side) => {
    const b = points[(side + 1) % points.length]!;
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const across = Math.max(1, Math.round(long / 0.8));
    const at = (t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    for (let row = 0; row < rows; row++) {
      const shift = row % 2 ? 0.5 / across : 0;
      for (let k = row % 2 ? -1 : 0; k < across; k++) {
        const from = Math.max(0, k / across + shift), to = Math.min(1, (k + 1) / across + shift);
        if (to - from < 1e-4) continue;
        const die = chance(seed + side * 31 + row * 7.3 + k * 1.7);
        const last = row === rows - 1;
        const broken = last ? 0.35 + 0.65 * die : 1;
        const [p, q] = [at(from), at(to)];
        const [low, up] = [z + row * high, z + (row + broken) * high];
        clay.face([[p[0], p[1], low], [q[0], q[1], low], [q[0], q[1], up], [p[0], p[1], up]], shade(colour, (die - 0.5) * 0.22 - (row === 0 ? 0.06 : 0)));
      }
    }
  });
}

/** Walls with windows under a roof with a rim. */
function house({ points: outline, z, top }: Block, colour: Color, clay: Clay): void {
  const points = anticlockwise(outline);
  const dark = new Color("#2a2620");
  clay.prism(points, z, top, colour, shade(colour, -0.28));
  const storeys = Math.max(1, Math.floor((top - z) / 2.2));
  points.forEach((a, side) => {
    const b = points[(side + 1) % points.length]!;
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const [ox, oy] = [uy * 0.015, -ux * 0.015];
    const windows = Math.floor(long / 1.8);
    for (let s = 0; s < storeys; s++)
      for (let w = 0; w < windows; w++) {
        const mid = (long * (w + 0.5)) / windows, wide = 0.34;
        const low = z + ((top - z) * (s + 0.38)) / storeys, up = z + ((top - z) * (s + 0.74)) / storeys;
        const p = (t: number): [number, number] => [a[0] + ux * t + ox, a[1] + uy * t + oy];
        const [l, r] = [p(mid - wide), p(mid + wide)];
        clay.face([[l[0], l[1], low], [r[0], r[1], low], [r[0], r[1], up], [l[0], l[1], up]], dark);
      }
    clay.beam(a, b, 0.22, top - 0.16, top, shade(colour, -0.16));
  });
}

/** Layers like the lines of a map; each a little smaller, so that a piece on the edge still stands on it. */
function hill({ points, z, top }: Block, colour: Color, clay: Clay): void {
  const n = points.length;
  const [cx, cy] = [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis]!, 0) / n) as Point;
  const layers = Math.max(2, Math.min(5, Math.round((top - z) / 0.5) + 1));
  for (let i = 0; i < layers; i++) {
    const scale = 1 - (0.05 * i) / layers;
    const ring = points.map(([x, y]): Point => [cx + (x - cx) * scale, cy + (y - cy) * scale]);
    clay.prism(ring, z + ((top - z) * i) / layers, z + ((top - z) * (i + 1)) / layers, shade(colour, -0.2 + (0.14 * i) / layers), shade(colour, -0.06 + (0.1 * i) / layers));
  }
  // On its top the lines of a map, each a little lighter within.
  const round = rounded(points);
  const inner = (scale: number) => round.map(([x, y]): Point => [cx + (x - cx) * scale, cy + (y - cy) * scale]);
  CONTOURS.forEach((scale, i) => {
    clay.top(inner(scale), top + 0.004 + i * 0.008, shade(colour, -0.3));
    clay.top(inner(scale - 0.022), top + 0.008 + i * 0.008, shade(colour, 0.04 + 0.06 * i));
  });
}

const CONTOURS = [0.8, 0.57, 0.34];

/** An outline without its corners. */
function rounded(points: Point[]): Point[] {
  const cut = (shape: Point[]): Point[] =>
    shape.flatMap((p, i): Point[] => {
      const q = shape[(i + 1) % shape.length]!;
      const part = (t: number): Point => [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
      return [part(0.25), part(0.75)];
    });
  return cut(cut(cut(points)));
}

/** Boards laid across, each of its own shade. */
function planks({ points: outline, z, top }: Block, colour: Color, clay: Clay): void {
  const points = anticlockwise(outline);
  clay.prism(points, z, top, shade(colour, -0.18), colour);
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const along = x1 - x0 >= y1 - y0;
  const [from, to] = along ? [x0, x1] : [y0, y1];
  for (let k = 0, at = from; at < to - 1e-3; k++, at += 0.55) {
    const end = Math.min(to, at + 0.52);
    const strip = clip(points, along ? 0 : 1, at, end);
    if (strip.length > 2) clay.top(strip, top + 0.006, shade(colour, (chance(k + x0 + y0) - 0.5) * 0.2));
  }
}

/** The part of a convex-enough outline between two lines across an axis. */
export function clip(points: Point[], axis: 0 | 1, low: number, high: number): Point[] {
  const cut = (shape: Point[], keep: (v: number) => boolean, line: number): Point[] =>
    shape.flatMap((p, i) => {
      const q = shape[(i + 1) % shape.length]!;
      const [inP, inQ] = [keep(p[axis]), keep(q[axis])];
      const t = (line - p[axis]) / (q[axis] - p[axis] || 1);
      const border: Point = [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
      return [...(inP ? [p] : []), ...(inP === inQ ? [] : [border])];
    });
  return cut(cut(points, (v) => v >= low, low), (v) => v <= high, high);
}

/** A plinth and a draped figure. */
function statue({ points, z, top }: Block, colour: Color, clay: Clay): void {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x, y] = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const r = Math.min(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) / 2;
  const foot = z + (top - z) * 0.3, h = top - foot;
  clay.prism(points, z, foot, shade(colour, -0.16), shade(colour, -0.05));
  clay.turned(x, y, [[r * 0.7, foot], [r * 0.45, foot + h * 0.45], [r * 0.62, foot + h * 0.68], [r * 0.22, foot + h * 0.76], [r * 0.34, foot + h * 0.88], [0, top]], 9, colour);
}

/** A great old tree as wide as its block: roots, bole, broken crown. */
function trunk({ points, z, top }: Block, colour: Color, clay: Clay): void {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x, y] = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
  const r = (Math.max(...xs) - Math.min(...xs)) / 2;
  clay.turned(x, y, [[r * 1.2, z], [r * 0.8, z + 0.5], [r * 0.62, z + (top - z) * 0.55], [r * 0.9, z + (top - z) * 0.86], [0, top]], 8, colour);
}

function middleLine(points: Point[]): { from: Point; to: Point; wide: number } {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (points.length === 4) {
    const mid = (i: number): Point => [(points[i]![0] + points[(i + 1) % 4]![0]) / 2, (points[i]![1] + points[(i + 1) % 4]![1]) / 2];
    const far = (p: Point, q: Point) => Math.hypot(p[0] - q[0], p[1] - q[1]);
    const [one, other] = [far(mid(0), mid(2)), far(mid(1), mid(3))];
    return one >= other ? { from: mid(0), to: mid(2), wide: other } : { from: mid(1), to: mid(3), wide: one };
  }
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x1 - x0 >= y1 - y0 ? { from: [x0, cy], to: [x1, cy], wide: y1 - y0 } : { from: [cx, y0], to: [cx, y1], wide: x1 - x0 };
}

/** Posts and two rails; waist-high and one sees over it. */
function fence({ points, z, top }: Block, colour: Color, clay: Clay): void {
  const { from, to, wide } = middleLine(points);
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const posts = Math.max(2, Math.round(long / 1.1) + 1);
  const at = (t: number): Point => [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
  for (let i = 0; i < posts; i++) {
    const t = i / (posts - 1), half = 0.09 / (long || 1);
    clay.beam(at(Math.max(0, t - half)), at(Math.min(1, t + half)), Math.max(0.16, wide * 0.6), z, top - chance(i) * 0.12, shade(colour, -0.15));
  }
  for (const share of [0.35, 0.72]) clay.beam(from, to, Math.max(0.08, wide * 0.3), z + (top - z) * share, z + (top - z) * (share + 0.14), colour);
}

function ladder({ points, z, top }: Block, colour: Color, clay: Clay): void {
  const { from, to } = middleLine(points);
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const grow = Math.max(0, 0.4 - long) / 2;
  const [ux, uy] = [(to[0] - from[0]) / long, (to[1] - from[1]) / long];
  const at = (t: number): Point => [from[0] + ux * t, from[1] + uy * t];
  const [near, far] = [-grow, long + grow];
  clay.beam(at(near), at(near + 0.09), 0.1, z, top, colour);
  clay.beam(at(far - 0.09), at(far), 0.1, z, top, colour);
  for (let h = z + 0.35; h < top - 0.05; h += 0.45) clay.beam(at(near), at(far), 0.08, h, h + 0.08, colour);
}

/** Rough ground: tufts and stones strewn over it, flat, so that nothing stands in anybody's way. */
export function litter({ points, z }: Block, colour: Color, clay: Clay, inside: (points: Point[], x: number, y: number) => boolean): void {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const wanted = Math.min(90, Math.round((x1 - x0) * (y1 - y0) * 1.6));
  for (let i = 1; i <= wanted; i++) {
    const [x, y, r] = [x0 + (x1 - x0) * ((i * 0.61803) % 1), y0 + (y1 - y0) * ((i * 0.75488) % 1), 0.1 + 0.2 * chance(i + x0)];
    const ring = Array.from({ length: 6 }, (_, k): Point => {
      const [turn, far] = [(k / 6) * 2 * Math.PI, r * (0.7 + 0.5 * chance(i * 6 + k))];
      return [x + far * Math.cos(turn), y + far * 0.7 * Math.sin(turn)];
    });
    if (ring.every(([px, py]) => inside(points, px, py))) clay.top(ring, z + 0.024, shade(colour, chance(i * 3 + y0) < 0.5 ? -0.3 : 0.22));
  }
}

/** Where trees stand in a wood: a fixed scatter, none near its edge's outside. */
export function trees({ points, z }: Block, inside: (points: Point[], x: number, y: number) => boolean): Tree[] {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const wanted = Math.min(22, Math.max(4, Math.round(((x1 - x0) * (y1 - y0)) / 2.4)));
  const found: Tree[] = [];
  for (let i = 1; i <= wanted * 4 && found.length < wanted; i++) {
    const [x, y] = [x0 + (x1 - x0) * ((i * 0.61803) % 1), y0 + (y1 - y0) * ((i * 0.75488) % 1)];
    if (inside(points, x, y)) found.push({ x, y, z, tall: 1.5 + 1.3 * chance(i + x0), wide: 0.38 + 0.28 * chance(i * 3 + y0) });
  }
  return found;
}
