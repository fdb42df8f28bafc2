import { useMemo } from "react";
import { CanvasTexture, Plane, RepeatWrapping, SRGBColorSpace, Vector3 } from "three";
import type { Marker, Picture, Point3, Zone } from "../protocol";
import { chance } from "./clay";
import { hatch, penOn, type Look } from "./look";
import { circle, ribbon, sheet } from "./world";

/** The ground in its frame; the inch grid stands out while something is measured. */
export function TableTop({ picture, look, grid }: { picture: Picture; look: Look; grid: boolean }) {
  const { width, depth } = picture;
  const cloth = useMemo(() => {
    const texture = new CanvasTexture(cover(picture.ground, look.grounds[picture.ground] ?? look.felt));
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.repeat.set(width / 16, depth / 16);
    texture.anisotropy = 4;
    return texture;
  }, [look, width, depth, picture.ground]);
  const lines = useMemo(() => {
    const points: number[] = [];
    for (let x = 0; x <= width; x++) points.push(x, 0.015, 0, x, 0.015, -depth);
    for (let y = 0; y <= depth; y++) points.push(0, 0.015, -y, width, 0.015, -y);
    return new Float32Array(points);
  }, [width, depth]);
  const rim = 0.7;
  const bars: [number, number, number, number][] = [
    [width / 2, rim / 2, width + 2 * rim, rim], [width / 2, -depth - rim / 2, width + 2 * rim, rim],
    [-rim / 2, -depth / 2, rim, depth], [width + rim / 2, -depth / 2, rim, depth],
  ];
  return (
    <group>
      <mesh rotation-x={-Math.PI / 2} position={[width / 2, 0, -depth / 2]} receiveShadow>
        <planeGeometry args={[width, depth]} />
        <meshLambertMaterial map={cloth} />
      </mesh>
      {bars.map(([x, z, w, d], i) => (
        <mesh key={i} position={[x, -0.1, z]} castShadow receiveShadow>
          <boxGeometry args={[w, 0.7, d]} />
          <meshLambertMaterial color={look.frame} />
        </mesh>
      ))}
      <lineSegments>
        <bufferGeometry>
          <bufferAttribute attach="attributes-position" args={[lines, 3]} />
        </bufferGeometry>
        <lineBasicMaterial color={look.grid} transparent opacity={grid ? 0.4 : 0.09} />
      </lineSegments>
    </group>
  );
}

/** What is drawn on the felt ends at its edge. */
export const edgesOf = ({ width, depth }: { width: number; depth: number }): Plane[] => [
  new Plane(new Vector3(1, 0, 0), 0),
  new Plane(new Vector3(-1, 0, 0), width),
  new Plane(new Vector3(0, 0, -1), 0),
  new Plane(new Vector3(0, 0, 1), depth),
];

/** What the table is covered with: 16 inches of it, joining at the edges. */
function cover(kind: string, colour: string): HTMLCanvasElement {
  const size = 512;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const pen = penOn(canvas);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, size, size);
  const spot = (x: number, y: number, draw: (x: number, y: number) => void) => {
    for (const dx of [-size, 0, size]) for (const dy of [-size, 0, size]) if (x + dx > -90 && x + dx < size + 90 && y + dy > -90 && y + dy < size + 90) draw(x + dx, y + dy);
  };
  // Wide soft patches first: earth is never of one colour.
  const patches = kind === "felt" ? 0 : 34;
  for (let i = 0; i < patches; i++)
    spot(chance(i) * size, chance(i + 0.5) * size, (x, y) => {
      const r = 24 + 60 * chance(i * 3.3);
      const fade = pen.createRadialGradient(x, y, 0, x, y, r);
      const dark = i % 2 ? "255,250,225" : "40,30,8";
      fade.addColorStop(0, `rgba(${dark},${kind === "snow" ? 0.05 : 0.1})`);
      fade.addColorStop(1, `rgba(${dark},0)`);
      pen.fillStyle = fade;
      pen.fillRect(x - r, y - r, 2 * r, 2 * r);
    });
  const grains = kind === "felt" ? 16000 : 9000;
  for (let i = 0; i < grains; i++) {
    const [x, y] = [chance(i * 1.13) * size, chance(i * 2.71 + 5) * size];
    pen.fillStyle = i % 2 ? "rgba(255,255,255,0.05)" : "rgba(50,35,10,0.06)";
    if (kind === "grass") pen.fillRect(x, y, 1, 2 + (i % 3));
    else pen.fillRect(x, y, 1 + (i % 3), 1);
  }
  if (kind === "stone") {
    pen.strokeStyle = "rgba(30,26,20,0.22)";
    pen.lineWidth = 1.5;
    for (let row = 0; row < 8; row++)
      for (let k = 0; k < 6; k++) {
        const [x, y] = [(k * size) / 6 + (row % 2 ? size / 12 : 0), (row * size) / 8];
        spot(x, y, (u, v) => pen.strokeRect(u + chance(row * 7 + k) * 3, v + chance(k * 5 + row) * 3, size / 6 - 3, size / 8 - 3));
      }
  }
  if (kind === "earth" || kind === "ash")
    for (let i = 0; i < 160; i++)
      spot(chance(i * 7.1) * size, chance(i * 3.9 + 2) * size, (x, y) => {
        pen.fillStyle = i % 3 ? "rgba(60,44,20,0.25)" : "rgba(255,248,225,0.2)";
        pen.beginPath();
        pen.ellipse(x, y, 1 + 2 * chance(i), 1 + chance(i + 9), chance(i) * 3, 0, 7);
        pen.fill();
      });
  return canvas;
}

export function Zones({ zones, look, edges }: { zones: Zone[]; look: Look; edges: Plane[] }) {
  return zones.map((zone) => <ZoneMesh key={zone.id} zone={zone} look={look} edges={edges} />);
}

function ZoneMesh({ zone, look, edges }: { zone: Zone; look: Look; edges: Plane[] }) {
  const colour = zone.side === null ? look.brass : look.sides[zone.side === 1 ? 1 : 0];
  const outline = useMemo(() => ribbon(zone.points.map(([x, y]): Point3 => [x, y, 0.03]), 0.09, zone.closed), [zone]);
  const area = useMemo(() => (zone.closed && zone.points.length > 2 ? sheet(zone.points, 0.025) : null), [zone]);
  const pattern = useMemo(() => (zone.side === null ? null : hatch(zone.side, colour)), [zone, colour]);
  return (
    <group>
      {area && (
        <mesh geometry={area} renderOrder={1}>
          <meshBasicMaterial color={pattern ? "#ffffff" : colour} map={pattern} transparent opacity={0.16} depthWrite={false} clippingPlanes={edges} />
        </mesh>
      )}
      <mesh geometry={outline} renderOrder={1}>
        <meshBasicMaterial color={colour} transparent opacity={0.75} side={2} depthWrite={false} clippingPlanes={edges} />
      </mesh>
    </group>
  );
}

export function Markers({ markers, look, glow, edges }: { markers: Marker[]; look: Look; glow: Set<string>; edges: Plane[] }) {
  return markers.map((marker) => <MarkerMesh key={marker.id} marker={marker} look={look} glow={glow.has(marker.id)} edges={edges} />);
}

function MarkerMesh({ marker, look, glow, edges }: { marker: Marker; look: Look; glow: boolean; edges: Plane[] }) {
  const { x, y, z, radius, range } = marker;
  const colour = marker.side === null ? "#caa24f" : look.sides[marker.side === 1 ? 1 : 0];
  const reach = useMemo(() => (range > 0 ? ribbon(circle(x, y, range + radius, z + 0.035), 0.07, true) : null), [x, y, z, radius, range]);
  const ring = useMemo(() => ribbon(circle(x, y, radius + 0.12, z + 0.05), glow ? 0.24 : 0.08, true), [x, y, z, radius, glow]);
  return (
    <group>
      <mesh position={[x, z + 0.09, -y]} castShadow>
        <cylinderGeometry args={[radius, radius * 1.05, 0.16, 28]} />
        <meshLambertMaterial color={colour} />
      </mesh>
      <mesh position={[x, z + 0.2, -y]}>
        <cylinderGeometry args={[radius * 0.5, radius * 0.62, 0.08, 6]} />
        <meshLambertMaterial color="#f5e6bd" flatShading />
      </mesh>
      <mesh geometry={ring} renderOrder={2}>
        <meshBasicMaterial color={glow ? look.brass : look.ink} side={2} transparent opacity={glow ? 1 : 0.6} />
      </mesh>
      {reach && (
        <mesh geometry={reach} renderOrder={1}>
          <meshBasicMaterial color={colour} side={2} transparent opacity={0.6} depthWrite={false} clippingPlanes={edges} />
        </mesh>
      )}
    </group>
  );
}
