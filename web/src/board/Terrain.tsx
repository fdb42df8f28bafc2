import { useMemo } from "react";
import { BoxGeometry, EdgesGeometry, ConeGeometry, CylinderGeometry, DoubleSide, type BufferGeometry } from "three";
import type { Block, Piece, Point, TerrainPiece } from "../protocol";
import type { Look } from "./look";
import { inside } from "./pick";
import { prism, sheet } from "./world";

const FLAT = new Set(["area", "water", "forest", "hazard"]);

/** Terrain as an architect's model: flat-shaded blocks with inked edges. `below`: floors from there up are faded. */
export function Terrain(props: { terrain: TerrainPiece[]; look: Look; below: number; under: Piece[]; glow: Set<string> }) {
  return props.terrain.map((piece) => (
    <group key={piece.id}>
      {piece.blocks.map((block, i) => (
        <BlockMesh key={i} block={block} look={props.look} faded={faded(block, props.below, props.under)} glow={props.glow.has(piece.id)} />
      ))}
    </group>
  ));
}

function faded(block: Block, below: number, under: Piece[]): boolean {
  if (block.z >= below) return true;
  return under.some((p) => block.z > p.z + 0.4 && inside(block.points, p.x, p.y));
}

function BlockMesh({ block, look, faded, glow }: { block: Block; look: Look; faded: boolean; glow: boolean }) {
  const colour = look.blocks[block.kind] ?? look.blocks.obstacle!;
  const flat = FLAT.has(block.kind) || block.top <= block.z;
  const body = useMemo(() => (flat ? sheet(block.points, block.z + 0.02) : prism(block.points, block.z, block.top)), [block, flat]);
  const edges = useMemo(() => new EdgesGeometry(body, 20), [body]);
  const extra = useMemo(() => dressing(block), [block]);
  const opacity = faded ? 0.12 : flat ? 0.75 : block.kind === "ladder" ? 0.25 : 1;
  return (
    <group>
      <mesh geometry={body} castShadow={!flat && !faded} receiveShadow renderOrder={faded ? 3 : 0}>
        <meshLambertMaterial key={opacity < 1 ? "t" : "o"} color={colour} transparent={opacity < 1} opacity={opacity} depthWrite={opacity === 1} side={flat ? DoubleSide : 0} polygonOffset={flat} polygonOffsetFactor={-2} />
      </mesh>
      <lineSegments geometry={edges}>
        <lineBasicMaterial color={glow ? look.brass : look.ink} transparent opacity={glow ? 1 : faded ? 0.22 : 0.55} />
      </lineSegments>
      {extra.map((geometry, i) => (
        <mesh key={i} geometry={geometry} castShadow={!faded}>
          <meshLambertMaterial color={block.kind === "forest" ? look.blocks.forest : look.blocks.ladder} transparent opacity={faded ? 0.15 : block.kind === "forest" ? 0.75 : 1} flatShading />
        </mesh>
      ))}
    </group>
  );
}

/** What makes a block recognisable: rungs on a ladder, trees in a wood, a lintel over a door. */
function dressing(block: Block): BufferGeometry[] {
  if (block.kind === "ladder") return rungs(block);
  if (block.kind === "forest") return trees(block);
  return [];
}

function rungs({ points, z, top }: Block): BufferGeometry[] {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const along = x1 - x0 >= y1 - y0;
  const wide = Math.max(x1 - x0, y1 - y0, 0.4), [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const bar = (w: number, h: number, offset: number, height: number) =>
    new BoxGeometry(along ? w : 0.09, h, along ? 0.09 : w).translate(cx + (along ? offset : 0), height, -cy + (along ? 0 : offset));
  const parts = [bar(0.09, top - z, -wide / 2 + 0.05, (z + top) / 2), bar(0.09, top - z, wide / 2 - 0.05, (z + top) / 2)];
  for (let h = z + 0.35; h < top - 0.05; h += 0.45) parts.push(bar(wide, 0.08, 0, h));
  return parts;
}

function trees({ points, z }: Block): BufferGeometry[] {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const parts: BufferGeometry[] = [];
  // A fixed sequence of points, so that a wood looks the same in every frame.
  for (let i = 1; i <= 40 && parts.length < 14; i++) {
    const [x, y]: Point = [x0 + (x1 - x0) * ((i * 0.61803) % 1), y0 + (y1 - y0) * ((i * 0.75488) % 1)];
    if (!inside(points, x, y)) continue;
    const tall = 1.4 + ((i * 0.37) % 1);
    parts.push(new ConeGeometry(0.5, tall, 7).translate(x, z + 0.5 + tall / 2, -y), new CylinderGeometry(0.1, 0.13, 0.6, 6).translate(x, z + 0.3, -y));
  }
  return parts;
}
