import { useLayoutEffect, useMemo, useRef } from "react";
import { BufferAttribute, BufferGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, type InstancedMesh, Matrix4, Quaternion, RepeatWrapping, SRGBColorSpace, Vector3 } from "three";
import type { Piece, TerrainPiece } from "../protocol";
import { Clay } from "./clay";
import { penOn, type Look } from "./look";
import { faded, inside } from "./pick";
import { carve, isFlat, litter, type Tree, trees } from "./scenery";
import { prism, sheet } from "./world";

/** Terrain as an architect's model. Everything of a kind is one geometry, so that many pieces cost few draw calls. `below`: floors from there up are faded. */
export function Terrain(props: { terrain: TerrainPiece[]; look: Look; below: number; under: Piece[]; glow: Set<string>; pieces: Piece[] }) {
  const { terrain, look, below, under, glow, pieces } = props;
  const known = JSON.stringify(terrain);
  const hidden = terrain.flatMap((piece, i) => piece.blocks.flatMap((block, k) => (faded(block, below, under) ? [`${i}.${k}`] : [])));
  const lit = terrain.filter((piece) => glow.has(piece.id)).map((piece) => piece.id);
  const built = useMemo(() => build(terrain, look, new Set(hidden), new Set(lit)), [known, look, hidden.join(), lit.join()]);
  const woods = useMemo(() => terrain.flatMap((piece) => piece.blocks.filter((b) => b.kind === "forest").flatMap((b) => trees(b, inside))), [known]);
  const water = useMemo(ripples, []);
  return (
    <group>
      {built.solid && (
        <mesh geometry={built.solid} castShadow receiveShadow>
          <meshLambertMaterial vertexColors />
        </mesh>
      )}
      {built.ghost && (
        <mesh geometry={built.ghost} renderOrder={3}>
          <meshLambertMaterial vertexColors transparent opacity={0.12} depthWrite={false} />
        </mesh>
      )}
      {built.flat && (
        <mesh geometry={built.flat} receiveShadow>
          <meshLambertMaterial vertexColors transparent opacity={0.8} depthWrite={false} side={DoubleSide} polygonOffset polygonOffsetFactor={-2} />
        </mesh>
      )}
      {built.water && (
        <mesh geometry={built.water} receiveShadow>
          <meshPhongMaterial color={look.blocks.water} map={water} shininess={60} specular="#1f2a30" polygonOffset polygonOffsetFactor={-2} />
        </mesh>
      )}
      <Ink lines={built.edges} colour={look.ink} opacity={0.5} />
      <Ink lines={built.ghostEdges} colour={look.ink} opacity={0.2} />
      <Ink lines={built.litEdges} colour={look.brass} opacity={1} />
      <Woods trees={woods} pieces={pieces} look={look} />
    </group>
  );
}

function build(terrain: TerrainPiece[], look: Look, hidden: Set<string>, lit: Set<string>) {
  const [solid, ghost, flat] = [new Clay(), new Clay(), new Clay()];
  const water: number[] = [], edges: number[] = [], ghostEdges: number[] = [], litEdges: number[] = [];
  terrain.forEach((piece, i) =>
    piece.blocks.forEach((block, k) => {
      const gone = hidden.has(`${i}.${k}`);
      const level = isFlat(block);
      const shape = level ? sheet(block.points, block.z + 0.02) : prism(block.points, block.z, block.top);
      const lines = new EdgesGeometry(shape, 20).attributes.position!.array;
      (lit.has(piece.id) ? litEdges : gone ? ghostEdges : edges).push(...lines);
      if (block.kind === "water" && !gone) water.push(...shape.attributes.position!.array);
      else if (level) {
        const [clay, colour] = [gone ? ghost : flat, new Color(look.blocks[block.kind] ?? look.blocks.area!)];
        clay.top(block.points, block.z + 0.02, colour);
        if (block.kind === "area") litter(block, colour, clay, inside);
      }
      else carve(block, look, gone ? ghost : solid);
      shape.dispose();
    }),
  );
  return { solid: solid.geometry(), ghost: ghost.geometry(), flat: flat.geometry(), water: level(water), edges, ghostEdges, litEdges };
}

/** A sheet of water with its ripples laid out in inches. */
function level(position: number[]): BufferGeometry | null {
  if (!position.length) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(position.map((_, i) => (i % 3 === 1 ? 1 : 0))), 3));
  const uv = Array.from({ length: position.length / 3 }, (_, i) => [position[3 * i]! / 6, position[3 * i + 2]! / 6]).flat();
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(uv), 2));
  return geometry;
}

function ripples(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = penOn(canvas);
  pen.fillStyle = "#dfe9ea";
  pen.fillRect(0, 0, 128, 128);
  pen.lineWidth = 2;
  for (let i = 0; i < 16; i++) {
    pen.strokeStyle = i % 2 ? "rgba(255,255,255,0.7)" : "rgba(40,80,100,0.25)";
    pen.beginPath();
    for (let x = 0; x <= 128; x += 8) pen.lineTo(x, i * 8 + 3 * Math.sin((x / 128) * 2 * Math.PI * (1 + (i % 3)) + i));
    pen.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

function Ink({ lines, colour, opacity }: { lines: number[]; colour: string; opacity: number }) {
  const geometry = useMemo(() => {
    const made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(new Float32Array(lines), 3));
    return made;
  }, [lines]);
  if (!lines.length) return null;
  return (
    <lineSegments geometry={geometry}>
      <lineBasicMaterial color={colour} transparent opacity={opacity} />
    </lineSegments>
  );
}

/** All trees of the table; they part where a piece stands. */
function Woods({ trees, pieces, look }: { trees: Tree[]; pieces: Piece[]; look: Look }) {
  const crowns = useRef<InstancedMesh>(null);
  const trunks = useRef<InstancedMesh>(null);
  const [crown, trunk] = useMemo(() => [new ConeGeometry(1, 1, 7).translate(0, 0.5, 0), new CylinderGeometry(0.8, 1, 1, 6).translate(0, 0.5, 0)], []);
  const standing = trees.filter((t) => !pieces.some((p) => Math.hypot(p.x - t.x, p.y - t.y) < t.wide + Math.max(p.shape.width, p.shape.depth) / 2));
  const key = standing.map((t) => `${t.x.toFixed(2)},${t.y.toFixed(2)}`).join(";");
  useLayoutEffect(() => {
    const [leaves, wood] = [crowns.current, trunks.current];
    if (!leaves || !wood) return;
    const still = new Quaternion(), green = new Color(look.blocks.forest!);
    standing.forEach((t, i) => {
      leaves.setMatrixAt(2 * i, new Matrix4().compose(new Vector3(t.x, t.z + t.tall * 0.22, -t.y), still, new Vector3(t.wide, t.tall * 0.5, t.wide)));
      leaves.setMatrixAt(2 * i + 1, new Matrix4().compose(new Vector3(t.x, t.z + t.tall * 0.48, -t.y), still, new Vector3(t.wide * 0.72, t.tall * 0.52, t.wide * 0.72)));
      for (const k of [0, 1]) leaves.setColorAt(2 * i + k, green.clone().multiplyScalar(0.72 + 0.3 * ((i * 0.37) % 1) + 0.12 * k));
      wood.setMatrixAt(i, new Matrix4().compose(new Vector3(t.x, t.z, -t.y), still, new Vector3(0.1, t.tall * 0.3, 0.1)));
    });
    leaves.count = 2 * standing.length;
    wood.count = standing.length;
    leaves.instanceMatrix.needsUpdate = wood.instanceMatrix.needsUpdate = true;
    if (leaves.instanceColor) leaves.instanceColor.needsUpdate = true;
  }, [key, look, trees.length]);
  if (!trees.length) return null;
  return (
    <group key={trees.length}>
      <instancedMesh ref={crowns} args={[crown, undefined, 2 * trees.length]} castShadow frustumCulled={false}>
        <meshLambertMaterial flatShading />
      </instancedMesh>
      <instancedMesh ref={trunks} args={[trunk, undefined, trees.length]} castShadow frustumCulled={false}>
        <meshLambertMaterial color={look.blocks.ladder} />
      </instancedMesh>
    </group>
  );
}
