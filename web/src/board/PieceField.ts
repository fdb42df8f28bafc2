/** All pieces on the table in a handful of instanced meshes: bases, pawns, notches, rings and medallions. */
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, CircleGeometry, Color, CylinderGeometry, DoubleSide, DynamicDrawUsage, Group,
  InstancedBufferAttribute, InstancedBufferGeometry, InstancedMesh, LinearFilter, LinearMipmapLinearFilter, type Material, Matrix4,
  Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, ShaderMaterial, Vector3,
} from "three";
import { iconUrl } from "../icon";
import type { Piece } from "../protocol";
import { AHEAD, type Figure, figure, figureOf, FIGURES } from "./figures";
import { hatch, penOn, type Look } from "./look";
import { radiusOf } from "./pick";
import { toTurn } from "./world";

export type Ring = "may" | "picked" | "selected" | "hover";
export interface Mark {
  ring?: Ring;
  done?: boolean;
}

const BASE = 0.14;
const CELLS = 8;
const CELL = 128;

function instanced(geometry: BufferGeometry, material: Material | Material[], capacity: number, shadow: boolean): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, capacity);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.castShadow = shadow;
  mesh.receiveShadow = shadow;
  mesh.count = 0;
  return mesh;
}

/** A flat frame: inner edge at 1, outer at 1 + `wide`, round or square. */
function frame(square: boolean, wide: number): BufferGeometry {
  const steps = square ? 4 : 40;
  const position: number[] = [];
  const corner = (i: number, r: number): [number, number] => {
    if (square) return [[r, r], [-r, r], [-r, -r], [r, -r]][i % 4] as [number, number];
    const a = (i / steps) * 2 * Math.PI;
    return [r * Math.cos(a), r * Math.sin(a)];
  };
  for (let i = 0; i < steps; i++) {
    const [a, b, c, d] = [corner(i, 1), corner(i + 1, 1), corner(i + 1, 1 + wide), corner(i, 1 + wide)];
    for (const [x, y] of [a, c, b, a, d, c]) position.push(x!, 0, -y!);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  return geometry;
}

/** A soft dark patch, so that a piece stands on the table and does not float over it. */
function softly(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = penOn(canvas);
  const fade = pen.createRadialGradient(32, 32, 12, 32, 32, 32);
  fade.addColorStop(0, "rgba(20,14,6,0.9)");
  fade.addColorStop(0.55, "rgba(20,14,6,0.5)");
  fade.addColorStop(1, "rgba(20,14,6,0)");
  pen.fillStyle = fade;
  pen.fillRect(0, 0, 64, 64);
  return new CanvasTexture(canvas);
}

function arrow(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([-0.5, 0, 0, 0.5, 0, 0, 0, 0, -1]), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array([0, 1, 0, 0, 1, 0, 0, 1, 0]), 3));
  return geometry;
}

const MEDALLION_VERTEX = `
attribute vec3 centre; attribute vec4 facts; attribute vec3 cell;
varying vec2 vUv; varying vec4 vFacts; varying vec3 vCell;
void main() {
  vUv = position.xy; vFacts = facts; vCell = cell;
  vec4 seen = modelViewMatrix * vec4(centre, 1.0);
  seen.xy += position.xy * facts.x;
  seen.z += facts.x * 0.45;
  gl_Position = projectionMatrix * seen;
}`;

const MEDALLION_FRAGMENT = `
uniform sampler2D atlas; uniform vec3 blue; uniform vec3 red;
varying vec2 vUv; varying vec4 vFacts; varying vec3 vCell;
void main() {
  float d = length(vUv);
  if (d > 1.0) discard;
  vec3 ivory = vec3(0.97, 0.94, 0.87);
  vec3 side = vFacts.w < 0.5 ? blue : red;
  float a = (vUv.x + vUv.y) * 5.0, b = (vUv.x - vUv.y) * 5.0;
  float lines = vFacts.w < 0.5 ? step(0.72, fract(a)) : max(step(0.84, fract(a)), step(0.84, fract(b)));
  vec3 colour = mix(side, ivory, lines * 0.13);
  vec2 at = vUv / 0.8 * 0.5 + 0.5;
  if (at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0)
    colour = mix(colour, ivory, texture2D(atlas, (vCell.xy + vec2(at.x, 1.0 - at.y)) / ${CELLS}.0).a);
  if (d > 0.84) {
    float most = vFacts.z;
    if (most > 0.5) {
      float turn = fract(0.5 + atan(-vUv.x, -vUv.y) / 6.2831853);
      float pips = min(most, 24.0);
      float gap = step(0.14, fract(turn * pips)) ;
      float left = floor(turn * pips) < vFacts.y / most * pips - 0.001 ? 1.0 : 0.0;
      colour = mix(vec3(0.1, 0.1, 0.11), left > 0.5 ? vec3(0.98, 0.86, 0.5) : vec3(0.32, 0.3, 0.3), pips > 1.5 ? gap : 1.0);
    } else colour = d > 0.88 ? side * 0.6 : ivory;
  }
  if (vCell.z > 0.5) colour = mix(colour, vec3(dot(colour, vec3(0.33))) * 0.8 + 0.1, 0.72);
  if (d > 0.965) colour = vec3(0.1);
  gl_FragColor = vec4(colour, 1.0);
}`;

export class PieceField {
  readonly group = new Group();
  private round: [InstancedMesh, InstancedMesh];
  private rect: [InstancedMesh, InstancedMesh];
  private figures: Record<Figure, InstancedMesh>;
  private shadows: InstancedMesh;
  private notches: InstancedMesh;
  private rings: { round: InstancedMesh; rect: InstancedMesh };
  private medallions: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private cells = new Map<string, number>();
  private canvas = document.createElement("canvas");
  private atlas: CanvasTexture;

  constructor(
    private readonly look: Look,
    private readonly capacity: number,
    private readonly onPainted: () => void,
  ) {
    const disc = new CylinderGeometry(1, 1.04, 1, 36).translate(0, 0.5, 0);
    const box = new BoxGeometry(2, 1, 2).translate(0, 0.5, 0);
    const painted = look.sides.map((colour, side) => new MeshLambertMaterial({ map: hatch(side, colour) }));
    const [blue, red] = [painted[0]!, painted[1]!];
    this.round = [instanced(disc, blue, capacity, true), instanced(disc, red, capacity, true)];
    this.rect = [instanced(box, blue, capacity, true), instanced(box, red, capacity, true)];
    const wooden = new MeshLambertMaterial({ vertexColors: true });
    this.figures = Object.fromEntries(FIGURES.map((kind) => [kind, instanced(figure(kind), wooden, kind === "foot" ? capacity * 6 : capacity * 2, true)])) as Record<Figure, InstancedMesh>;
    this.shadows = instanced(new CircleGeometry(1, 28).rotateX(-Math.PI / 2), new MeshBasicMaterial({ map: softly(), transparent: true, opacity: 0.55, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -3 }), capacity, false);
    this.shadows.renderOrder = 1;
    this.notches = instanced(arrow(), new MeshBasicMaterial({ color: "#f3d27a", side: DoubleSide }), capacity, false);
    const flat = () => new MeshBasicMaterial({ side: DoubleSide });
    this.rings = {
      round: instanced(frame(false, 0.26), flat(), capacity * 2, false),
      rect: instanced(frame(true, 0.22), flat(), capacity * 2, false),
    };
    this.canvas.width = this.canvas.height = CELLS * CELL;
    this.atlas = new CanvasTexture(this.canvas);
    this.atlas.flipY = false;
    this.atlas.minFilter = LinearMipmapLinearFilter;
    this.atlas.magFilter = LinearFilter;
    this.atlas.anisotropy = 4;
    this.medallions = this.medallionMesh();
    this.group.add(...this.round, ...this.rect, this.shadows, ...Object.values(this.figures), this.notches, this.rings.round, this.rings.rect, this.medallions);
  }

  private medallionMesh(): Mesh<InstancedBufferGeometry, ShaderMaterial> {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const [name, size] of [["centre", 3], ["facts", 4], ["cell", 3]] as const)
      geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(this.capacity * size), size).setUsage(DynamicDrawUsage));
    const raw = (hex: string) => {
      const c = new Color(hex).convertLinearToSRGB();
      return new Vector3(c.r, c.g, c.b);
    };
    const material = new ShaderMaterial({
      vertexShader: MEDALLION_VERTEX,
      fragmentShader: MEDALLION_FRAGMENT,
      uniforms: { atlas: { value: this.atlas }, blue: { value: raw(this.look.sides[0]) }, red: { value: raw(this.look.sides[1]) } },
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    return mesh;
  }

  private cell(icon: string): number {
    const url = iconUrl(icon);
    const known = this.cells.get(url);
    if (known !== undefined) return known;
    const at = this.cells.size % (CELLS * CELLS);
    this.cells.set(url, at);
    const image = new Image();
    image.onload = () => {
      const [x, y] = [(at % CELLS) * CELL + 6, Math.floor(at / CELLS) * CELL + 6];
      penOn(this.canvas).drawImage(image, x, y, CELL - 12, CELL - 12);
      this.atlas.needsUpdate = true;
      this.onPainted();
    };
    image.src = url;
    return at;
  }

  /** Put every piece where it is now. */
  sync(pieces: Piece[], marks: Map<string, Mark>, hidden: (piece: Piece) => boolean): void {
    const counts = { round: [0, 0], rect: [0, 0], shadows: 0, notches: 0, ringRound: 0, ringRect: 0, medallions: 0 };
    const carved = new Map<Figure, number>(FIGURES.map((kind) => [kind, 0]));
    const wood = this.look.sides.map((colour) => new Color(colour).lerp(new Color("#c79a5b"), 0.45));
    const { picked, selected, hover } = this.look.rings;
    const colours: Record<Ring, Color> = { may: new Color(this.look.brass), picked: new Color(picked), selected: new Color(selected), hover: new Color(hover) };
    const { centre, facts, cell } = this.medallions.geometry.attributes as Record<string, BufferAttribute>;
    for (const piece of pieces.slice(0, this.capacity)) {
      if (hidden(piece)) continue;
      const side = piece.side === 1 ? 1 : 0;
      const square = piece.shape.kind === "rect" || piece.shape.kind === "polygon";
      const rx = (piece.shape.kind === "polygon" ? radiusOf(piece) * 2 : piece.shape.width || 1) / 2;
      const ry = (piece.shape.kind === "polygon" ? radiusOf(piece) * 2 : piece.shape.depth || rx * 2) / 2;
      const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), toTurn(piece.facing));
      const at = new Vector3(piece.x, piece.z, -piece.y);
      const put = (mesh: InstancedMesh, n: number, lift: number, scale: Vector3, dx = 0, dy = 0) =>
        mesh.setMatrixAt(n, new Matrix4().compose(new Vector3(dx, lift, -dy).applyQuaternion(turn).add(at), turn, scale));
      const kind = square ? "rect" : "round";
      put(this[kind][side]!, counts[kind][side]!++, 0.01, new Vector3(rx, BASE, ry));

      const small = Math.min(rx, ry);
      const models = Math.max(1, Math.round(piece.models));
      const files = Math.max(1, Math.round(Math.sqrt((models * rx) / ry)));
      const ranks = Math.ceil(models / files);
      const thick = Math.min(rx / files, ry / ranks);
      put(this.shadows, counts.shadows++, 0.012, new Vector3(rx * 1.4, 1, ry * 1.4));
      const shape = figureOf(piece.figure);
      const stock = this.figures[shape];
      const most = shape === "foot" ? this.capacity * 6 : this.capacity * 2;
      // What looks ahead fills its base, be it a hull or a long beast; what is turned stays round.
      const [wide, long] = AHEAD.has(shape) ? [rx / files, ry / ranks] : [thick, thick];
      for (let i = 0; i < models && carved.get(shape)! < most; i++) {
        const dx = ((i % files) - (Math.min(files, models) - 1) / 2) * ((2 * rx) / files);
        const dy = ((ranks - 1) / 2 - Math.floor(i / files)) * ((2 * ry) / ranks);
        const n = carved.get(shape)!;
        put(stock, n, BASE, new Vector3(wide, Math.max(0.5, piece.height * 0.9 - BASE), long), dx, dy);
        stock.setColorAt(n, wood[side]!);
        carved.set(shape, n + 1);
      }
      if (square || piece.facing) {
        // On a square base the medallion leaves a strip for it; a round one has room only where it is longer than wide.
        const [broad, deep] = square ? [small * 0.9, small * 0.36] : [small * 0.5, small * 0.5];
        put(this.notches, counts.notches++, BASE + 0.02, new Vector3(broad, 1, deep), 0, ry - deep * 0.9);
      }
      const mark = marks.get(piece.id);
      if (mark?.ring) {
        const ring = square ? this.rings.rect : this.rings.round;
        const n = square ? counts.ringRect++ : counts.ringRound++;
        put(ring, n, 0.05, new Vector3(rx * 1.03, 1, ry * 1.03));
        ring.setColorAt(n, colours[mark.ring]);
      }
      const n = counts.medallions++;
      const at2 = this.cell(piece.icon);
      centre!.setXYZ(n, piece.x, piece.z + piece.height * 0.9, -piece.y);
      facts!.setXYZW(n, small * (square ? 0.68 : 0.9), piece.wounds ?? 0, piece.wounds_max ?? 0, side);
      cell!.setXYZ(n, at2 % CELLS, Math.floor(at2 / CELLS), mark?.done ? 1 : 0);
    }
    const finish = (mesh: InstancedMesh, count: number) => {
      mesh.count = count;
      mesh.visible = count > 0; // or its shader would be compiled for nothing
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    };
    this.round.forEach((mesh, side) => finish(mesh, counts.round[side]!));
    this.rect.forEach((mesh, side) => finish(mesh, counts.rect[side]!));
    for (const kind of FIGURES) finish(this.figures[kind], carved.get(kind)!);
    finish(this.shadows, counts.shadows);
    finish(this.notches, counts.notches);
    finish(this.rings.round, counts.ringRound);
    finish(this.rings.rect, counts.ringRect);
    this.medallions.geometry.instanceCount = counts.medallions;
    this.medallions.visible = counts.medallions > 0;
    for (const attribute of [centre!, facts!, cell!]) attribute.needsUpdate = true;
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh) {
        (object.geometry as BufferGeometry).dispose();
        for (const material of [object.material].flat() as Material[]) material.dispose();
      }
    });
    this.atlas.dispose();
  }
}
