/** Triangles with a colour each, gathered into one geometry: scenery is built from few shapes and drawn in few calls. */
import { BufferAttribute, BufferGeometry, Color, ShapeUtils, Vector2 } from "three";
import type { Point, Point3 } from "../protocol";

/** A fixed sequence of numbers from 0 to 1, so that the same wall looks the same in every frame and on every table. */
export const chance = (seed: number): number => {
  const x = Math.sin(seed * 12.9898 + 78.233) * 43758.5453;
  return x - Math.floor(x);
};

export function anticlockwise(points: Point[]): Point[] {
  const area = points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    return sum + x * v - u * y;
  }, 0);
  return area < 0 ? [...points].reverse() : points;
}

export class Clay {
  private position: number[] = [];
  private normal: number[] = [];
  private colour: number[] = [];

  get empty(): boolean {
    return this.position.length === 0;
  }

  /** A flat face with its corners in order, anticlockwise as seen from outside; in table coordinates. */
  face(corners: Point3[], colour: Color): void {
    const [a, b, c] = [corners[0]!, corners[1]!, corners[2]!];
    const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const long = Math.hypot(nx, ny, nz) || 1;
    for (let i = 1; i + 1 < corners.length; i++)
      for (const [x, y, z] of [corners[0]!, corners[i]!, corners[i + 1]!]) {
        this.position.push(x, z, -y);
        this.normal.push(nx / long, nz / long, -ny / long);
        this.colour.push(colour.r, colour.g, colour.b);
      }
  }

  /** A level polygon, seen from above. */
  top(outline: Point[], z: number, colour: Color): void {
    const points = anticlockwise(outline);
    for (const face of ShapeUtils.triangulateShape(points.map(([x, y]) => new Vector2(x, y)), []))
      this.face(face.map((i): Point3 => [points[i]![0], points[i]![1], z]), colour);
  }

  /** A prism without a floor, which nobody sees. */
  prism(outline: Point[], z: number, top: number, colour: Color, roof: Color = colour): void {
    const points = anticlockwise(outline);
    this.top(points, top, roof);
    if (top > z)
      points.forEach((a, i) => {
        const b = points[(i + 1) % points.length]!;
        this.face([[a[0], a[1], z], [b[0], b[1], z], [b[0], b[1], top], [a[0], a[1], top]], colour);
      });
  }

  /** A box along a line: posts, rails, rungs, beams. */
  beam(from: Point, to: Point, wide: number, z: number, top: number, colour: Color): void {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [nx, ny] = [(-(to[1] - from[1]) / long) * (wide / 2), ((to[0] - from[0]) / long) * (wide / 2)];
    this.prism([[from[0] + nx, from[1] + ny], [from[0] - nx, from[1] - ny], [to[0] - nx, to[1] - ny], [to[0] + nx, to[1] + ny]], z, top, colour);
  }

  /** A cone or drum of a few sides about a point: trees, statues, chimneys. */
  turned(x: number, y: number, rings: [radius: number, z: number][], sides: number, colour: Color): void {
    const at = (r: number, z: number, k: number): Point3 => [x + r * Math.cos((2 * Math.PI * k) / sides), y + r * Math.sin((2 * Math.PI * k) / sides), z];
    for (let i = 0; i + 1 < rings.length; i++) {
      const [[r0, z0], [r1, z1]] = [rings[i]!, rings[i + 1]!];
      for (let k = 0; k < sides; k++) {
        const corners = [at(r0, z0, k), at(r0, z0, k + 1), at(r1, z1, k + 1), at(r1, z1, k)];
        this.face(r1 < 1e-4 ? corners.slice(0, 3) : r0 < 1e-4 ? [corners[0]!, corners[2]!, corners[3]!] : corners, colour);
      }
    }
  }

  geometry(): BufferGeometry | null {
    if (this.empty) return null;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normal), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.colour), 3));
    return geometry;
  }
}
