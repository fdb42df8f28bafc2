/** Turned and carved wooden pieces, each about one inch high on a base of radius one: who stands there is told by the shape. */
import { BufferAttribute, type BufferGeometry, Color, LatheGeometry, Vector2 } from "three";
import type { Point, Point3 } from "../protocol";
import { Clay } from "./clay";

const WOOD = new Color("#ffffff");
const SHADE = new Color("#b9b9b9");
const DARK = new Color("#6f6f6f");

export type Figure = "foot" | "hero" | "horse" | "beast" | "monster" | "vehicle" | "engine" | "flyer";
export const FIGURES: Figure[] = ["foot", "hero", "horse", "beast", "monster", "vehicle", "engine", "flyer"];
export const figureOf = (name: string): Figure => (FIGURES as string[]).includes(name) ? (name as Figure) : "foot";

/** Figures that look ahead; those that are turned look the same all round. */
export const AHEAD = new Set<Figure>(["horse", "beast", "monster", "vehicle", "engine", "flyer"]);

function lathe(outline: [number, number][]): BufferGeometry {
  const geometry = new LatheGeometry(outline.reverse().map(([r, h]) => new Vector2(r, h)), 14);
  return geometry.toNonIndexed();
}

const box = (clay: Clay, x: [number, number], y: [number, number], z: [number, number], colour = WOOD) =>
  clay.prism([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]], z[0], z[1], colour);

/** A slab with an outline seen from the side (y ahead, z up), as wide as `half` on both sides. */
function slab(clay: Clay, outline: Point[], half: number, colour = WOOD): void {
  const side = (x: number): Point3[] => outline.map(([y, z]) => [x, y, z]);
  const fan = (points: Point3[]) => {
    for (let i = 1; i + 1 < points.length; i++) clay.face([points[0]!, points[i]!, points[i + 1]!], colour);
  };
  fan(side(half));
  fan(side(-half).reverse());
  outline.forEach(([y, z], i) => {
    const [v, w] = outline[(i + 1) % outline.length]!;
    clay.face([[-half, y, z], [-half, v, w], [half, v, w], [half, y, z]], SHADE);
  });
}

function carved(make: (clay: Clay) => void): BufferGeometry {
  const clay = new Clay();
  make(clay);
  return clay.geometry()!;
}

const MAKE: Record<Figure, () => BufferGeometry> = {
  foot: () => lathe([[0.001, 1], [0.2, 0.98], [0.34, 0.9], [0.38, 0.8], [0.33, 0.7], [0.22, 0.63], [0.36, 0.59], [0.24, 0.53], [0.3, 0.3], [0.5, 0.14], [0.62, 0.08], [0.62, 0]]),
  hero: () => lathe([[0.001, 1], [0.07, 0.97], [0.05, 0.92], [0.3, 0.9], [0.4, 0.82], [0.26, 0.74], [0.34, 0.7], [0.22, 0.64], [0.44, 0.6], [0.26, 0.52], [0.3, 0.3], [0.56, 0.16], [0.7, 0.08], [0.7, 0]]),
  horse: () =>
    carved((clay) => {
      clay.turned(0, 0, [[0.62, 0], [0.62, 0.08], [0.42, 0.14], [0.34, 0.3]], 12, WOOD);
      slab(clay, [[-0.34, 0.28], [0.3, 0.28], [0.36, 0.52], [0.72, 0.6], [0.66, 0.76], [0.36, 0.98], [0.24, 0.86], [0.06, 0.9], [-0.26, 0.62]], 0.2);
    }),
  beast: () =>
    carved((clay) => {
      clay.turned(0, 0, [[0.72, 0], [0.72, 0.07], [0.5, 0.12], [0.5, 0.2]], 12, WOOD);
      slab(clay, [[-0.6, 0.18], [0.46, 0.18], [0.82, 0.42], [0.74, 0.62], [0.44, 0.7], [0.2, 0.92], [-0.3, 0.86], [-0.62, 0.52]], 0.34);
    }),
  monster: () =>
    carved((clay) => {
      clay.turned(0, 0, [[0.8, 0], [0.8, 0.05], [0.62, 0.1], [0.56, 0.42], [0.36, 0.62]], 10, WOOD);
      slab(clay, [[-0.3, 0.4], [0.2, 0.4], [0.42, 0.66], [0.84, 0.72], [0.8, 0.86], [0.44, 0.94], [0.2, 1], [-0.12, 0.84]], 0.24);
      for (const side of [-1, 1]) {
        clay.face([[side * 0.2, 0.1, 0.6], [side * 0.95, -0.3, 0.92], [side * 0.3, -0.45, 0.5]], SHADE);
        clay.face([[side * 0.3, -0.45, 0.5], [side * 0.95, -0.3, 0.92], [side * 0.2, 0.1, 0.6]], SHADE);
      }
    }),
  vehicle: () =>
    carved((clay) => {
      for (const side of [-1, 1]) box(clay, side < 0 ? [-0.92, -0.56] : [0.56, 0.92], [-0.92, 0.92], [0, 0.44], DARK);
      slab(clay, [[-0.86, 0.14], [0.86, 0.14], [0.86, 0.4], [0.5, 0.62], [-0.8, 0.62]], 0.58);
      clay.turned(0, -0.1, [[0.42, 0.6], [0.4, 0.86], [0.3, 0.92], [0, 0.92]], 10, WOOD);
      box(clay, [-0.07, 0.07], [0.2, 1.02], [0.7, 0.84], DARK);
    }),
  engine: () =>
    carved((clay) => {
      box(clay, [-0.3, 0.3], [-0.9, 0.55], [0.2, 0.36]);
      slab(clay, [[-0.5, 0.36], [0.3, 0.36], [0.95, 0.86], [0.86, 1], [-0.4, 0.6]], 0.12, SHADE);
      for (const side of [-1, 1]) wheel(clay, side);
    }),
  flyer: () =>
    carved((clay) => {
      clay.turned(0, 0, [[0.5, 0], [0.5, 0.05], [0.05, 0.09], [0.05, 0.66]], 8, DARK);
      slab(clay, [[-0.7, 0.7], [0.4, 0.66], [1, 0.74], [0.5, 0.9], [-0.3, 0.92], [-0.8, 1]], 0.16);
      for (const side of [-1, 1]) {
        const wing: Point3[] = [[side * 0.14, 0.36, 0.8], [side * 1, -0.28, 0.78], [side * 0.9, -0.56, 0.78], [side * 0.14, -0.36, 0.8]];
        clay.face(wing, WOOD);
        clay.face([...wing].reverse(), SHADE);
      }
    }),
};

/** A wheel beside an engine. */
function wheel(clay: Clay, side: number): void {
  const rim = Array.from({ length: 10 }, (_, i): Point => [-0.1 + 0.34 * Math.cos((i * Math.PI) / 5), 0.34 + 0.34 * Math.sin((i * Math.PI) / 5)]);
  const at = (x: number): Point3[] => rim.map(([y, z]) => [x, y, z]);
  const [inner, outer] = [side * 0.34, side * 0.5];
  const flat = (points: Point3[]) => clay.face(points, DARK);
  flat(side > 0 ? at(outer) : at(outer).reverse());
  flat(side > 0 ? at(inner).reverse() : at(inner));
  rim.forEach(([y, z], i) => {
    const [v, w] = rim[(i + 1) % rim.length]!;
    const quad: Point3[] = [[inner, y, z], [outer, y, z], [outer, v, w], [inner, v, w]];
    clay.face(side > 0 ? quad.reverse() : quad, SHADE);
  });
}

export function figure(kind: Figure): BufferGeometry {
  const geometry = MAKE[kind]();
  if (!geometry.attributes.color) {
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(geometry.attributes.position!.count * 3).fill(1), 3));
  }
  geometry.deleteAttribute("uv");
  return geometry;
}
