/** Between table coordinates (x right, y away, z up) and three.js's (x right, y up, z towards the viewer). */
import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2, Vector3 } from "three";
import type { Point, Point3 } from "../protocol";
import { anticlockwise } from "./clay";

export const toWorld = (x: number, y: number, z = 0) => new Vector3(x, z, -y);
export const fromWorld = (v: Vector3): Point3 => [v.x, -v.z, v.y];

/** A facing in degrees (0 away, clockwise) as a turn about the upright axis. */
export const toTurn = (facing: number) => (-facing * Math.PI) / 180;

/** A flat polygon facing up. */
export function sheet(points: Point[], z: number): BufferGeometry {
  return prism(points, z, z);
}

/** A prism with flat faces; no floor, which nobody sees. */
export function prism(outline: Point[], z: number, top: number): BufferGeometry {
  const points = anticlockwise(outline);
  const position: number[] = [];
  const normal: number[] = [];
  const uv: number[] = [];
  const put = (p: Point, h: number, n: Point3, u: number, v: number) => {
    position.push(p[0], h, -p[1]);
    normal.push(n[0], n[1], n[2]);
    uv.push(u, v);
  };
  for (const face of ShapeUtils.triangulateShape(points.map(([x, y]) => new Vector2(x, y)), []))
    for (const i of face) put(points[i]!, top, [0, 1, 0], points[i]![0], points[i]![1]);
  if (top > z)
    points.forEach((a, i) => {
      const b = points[(i + 1) % points.length]!;
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const n: Point3 = [(b[1] - a[1]) / length, 0, (b[0] - a[0]) / length];
      const corners: [Point, number, number][] = [[a, z, 0], [b, z, length], [b, top, length], [a, top, 0]];
      for (const k of [0, 1, 2, 0, 2, 3]) {
        const [p, h, u] = corners[k]!;
        put(p, h, n, u, h);
      }
    });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(uv), 2));
  return geometry;
}

/** Many shapes as one, so that they cost one draw call: for paint, which needs no light. */
export function joined(shapes: BufferGeometry[]): BufferGeometry {
  const position = new Float32Array(shapes.reduce((sum, shape) => sum + shape.attributes.position!.array.length, 0));
  let filled = 0;
  for (const shape of shapes) {
    position.set(shape.attributes.position!.array, filled);
    filled += shape.attributes.position!.array.length;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  return geometry;
}

/** A ribbon of a given width along a line, lying flat, slightly above the table so that it is not lost in it. */
export function ribbon(points: Point3[], width: number, closed = false): BufferGeometry {
  const position: number[] = [];
  const ends = closed ? [...points, points[0]!] : points;
  for (let i = 0; i + 1 < ends.length; i++) {
    const [ax, ay, az] = ends[i]!, [bx, by, bz] = ends[i + 1]!;
    const flat = Math.hypot(bx - ax, by - ay);
    const nx = flat > 1e-6 ? (-(by - ay) / flat) * (width / 2) : width / 2;
    const ny = flat > 1e-6 ? ((bx - ax) / flat) * (width / 2) : 0;
    const a1 = [ax + nx, az, -(ay + ny)], a2 = [ax - nx, az, -(ay - ny)];
    const b1 = [bx + nx, bz, -(by + ny)], b2 = [bx - nx, bz, -(by - ny)];
    position.push(...a1, ...a2, ...b2, ...a1, ...b2, ...b1);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.computeVertexNormals();
  return geometry;
}

export function circle(x: number, y: number, radius: number, z: number, steps = 48): Point3[] {
  return Array.from({ length: steps }, (_, i) => {
    const a = (i / steps) * 2 * Math.PI;
    return [x + radius * Math.cos(a), y + radius * Math.sin(a), z];
  });
}
