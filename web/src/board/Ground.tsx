import { useMemo } from "react";
import { CanvasTexture, Plane, RepeatWrapping, SRGBColorSpace, Vector3 } from "three";
import type { Marker, Picture, Point3, Zone } from "../protocol";
import { hatch, penOn, type Look } from "./look";
import { circle, ribbon, sheet } from "./world";

/** The felt in its frame; the inch grid stands out while something is measured. */
export function TableTop({ picture, look, grid }: { picture: Picture; look: Look; grid: boolean }) {
  const { width, depth } = picture;
  const cloth = useMemo(() => {
    const texture = new CanvasTexture(felt(look.felt));
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.repeat.set(width / 8, depth / 8);
    return texture;
  }, [look, width, depth]);
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

function felt(colour: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const pen = penOn(canvas);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 256, 256);
  for (let i = 0; i < 5200; i++) {
    const x = (i * 157.31) % 256, y = (i * 89.77) % 256;
    pen.fillStyle = i % 2 ? "rgba(255,255,255,0.045)" : "rgba(60,40,10,0.045)";
    pen.fillRect(x, y, 1 + (i % 3), 1);
  }
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
