import { useMemo } from "react";
import { NotEqualStencilFunc, ReplaceStencilOp, type BufferGeometry, type Plane } from "three";
import type { Piece, Point, Point3, Region } from "../protocol";
import type { Placement } from "../table/moving";
import type { Corner } from "../table/wheeling";
import type { Drawn } from "./drawn";
import type { Look } from "./look";
import { circle, joined, ribbon, sheet } from "./world";

const onTop = { transparent: true, depthTest: false, depthWrite: false, side: 2 } as const;

function Paint({ geometry, colour, opacity, order = 505 }: { geometry: BufferGeometry; colour: string; opacity: number; order?: number }) {
  if (!geometry.attributes.position!.count) return null;
  return (
    <mesh geometry={geometry} renderOrder={order}>
      <meshBasicMaterial color={colour} opacity={opacity} {...onTop} />
    </mesh>
  );
}

/** Where the piece may go: the colour of reach; where it risks something: red; where it may not: ink. */
export function Regions({ regions, look, edges }: { regions: Region[]; look: Look; edges: Plane[] }) {
  return regions.map((region, i) => <RegionMesh key={i} region={region} look={look} stamp={(i % 200) + 1} edges={edges} />);
}

/** Polygons of a region overlap; the stencil lets each place be painted once, and the outline stand outside all of them. */
function RegionMesh({ region, look, stamp, edges }: { region: Region; look: Look; stamp: number; edges: Plane[] }) {
  const { kind, polygons } = region;
  const z = region.z ?? 0;
  const colour = kind === "risk" ? look.bad : kind === "forbidden" ? look.ink : look.reach;
  const [area, outline] = useMemo(
    () => [
      joined(polygons.filter((points) => points.length > 2).map((points) => sheet(points, z + 0.04))),
      joined(polygons.map((points) => ribbon(points.map(([x, y]): Point3 => [x, y, z + 0.045]), 0.2, true))),
    ],
    [polygons, z],
  );
  const once = { clippingPlanes: edges, stencilWrite: true, stencilRef: stamp, stencilFunc: NotEqualStencilFunc, stencilZPass: ReplaceStencilOp, transparent: true, depthWrite: false, side: 2 as const };
  return (
    <group>
      {area.attributes.position!.count > 0 && <mesh geometry={area} renderOrder={20 + 2 * stamp}>
        <meshBasicMaterial color={colour} opacity={kind === "forbidden" ? 0.16 : 0.26} {...once} />
      </mesh>}
      <mesh geometry={outline} renderOrder={21 + 2 * stamp}>
        <meshBasicMaterial color={colour} opacity={0.9} {...once} />
      </mesh>
    </group>
  );
}

/** The ways that a move takes, leg by leg. */
export function Ways({ ways, look }: { ways: Drawn["ways"]; look: Look }) {
  const [lines, turns] = useMemo(() => {
    const long = ways.filter((way) => way.length > 1);
    const disc = ({ x, y, z }: Placement) => sheet(circle(x, y, 0.16, z, 24).map(([a, b]) => [a, b]), z + 0.09);
    return [
      joined(long.map((way) => ribbon(way.map((p): Point3 => [p.x, p.y, p.z + 0.08]), 0.12))),
      joined(long.flatMap((way) => way.slice(1, -1).map(disc))),
    ];
  }, [ways]);
  return (
    <group>
      <Paint geometry={lines} colour={look.ink} opacity={0.8} />
      <Paint geometry={turns} colour={look.ink} opacity={0.9} order={506} />
    </group>
  );
}

/** The rim of a piece's base, at a spot. */
function rim({ shape }: Piece, spot: Placement): Point[] {
  const [across, deep] = [(shape.width || 1) / 2, (shape.depth || shape.width || 1) / 2];
  const turn = (spot.facing * Math.PI) / 180;
  const corners: Point[] = shape.kind === "rect" ? [[-1, -1], [1, -1], [1, 1], [-1, 1]] : circle(0, 0, 1, 0, 36).map(([a, b]) => [a, b]);
  return corners.map(([u, v]) => [
    spot.x + u * across * Math.cos(turn) + v * deep * Math.sin(turn),
    spot.y - u * across * Math.sin(turn) + v * deep * Math.cos(turn),
  ]);
}

/** Where pieces stood, and where they are wished but may not stand. */
export function Ghosts({ ghosts, look }: { ghosts: Drawn["ghosts"]; look: Look }) {
  const kinds = useMemo(
    () =>
      [false, true].flatMap((wish) => {
        const own = ghosts.filter((ghost) => ghost.wish === wish);
        if (!own.length) return [];
        const rims = own.map(({ piece, spot }) => ({ rim: rim(piece, spot), z: spot.z + 0.06 }));
        const area = joined(rims.map(({ rim, z }) => sheet(rim, z)));
        return [{ wish, area, edge: joined(rims.map(({ rim, z }) => ribbon(rim.map(([x, y]): Point3 => [x, y, z]), 0.07, true))) }];
      }),
    [ghosts],
  );
  return kinds.map(({ wish, area, edge }) => (
    <group key={String(wish)}>
      <Paint geometry={area} colour={wish ? look.bad : look.ink} opacity={wish ? 0.42 : 0.22} order={504} />
      <Paint geometry={edge} colour={wish ? look.bad : look.ink} opacity={0.9} order={504} />
    </group>
  ));
}

/** Knobs at the corners by which a block is wheeled. */
export function Knobs({ corners, look }: { corners: Corner[]; look: Look }) {
  const [knobs, rims] = useMemo(() => {
    const rounds = corners.map(({ at: [x, y] }) => circle(x, y, 0.32, 0, 20).map(([a, b]): Point => [a, b]));
    return [joined(rounds.map((edge) => sheet(edge, 0.12))), joined(rounds.map((edge) => ribbon(edge.map(([x, y]): Point3 => [x, y, 0.13]), 0.08, true)))];
  }, [corners]);
  return (
    <group>
      <Paint geometry={knobs} colour={look.brass} opacity={0.95} order={511} />
      <Paint geometry={rims} colour={look.ink} opacity={0.9} order={512} />
    </group>
  );
}

/** A tape with a tick at every inch. */
export function Tape({ from, to, look }: { from: Point3; to: Point3; look: Look }) {
  const [line, ticks] = useMemo(() => {
    const lift = (p: Point3): Point3 => [p[0], p[1], p[2] + 0.15];
    const [a, b] = [lift(from), lift(to)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) || 1;
    const across = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
    const marks: BufferGeometry[] = [];
    for (let i = 0; i <= length && i < 100; i++) {
      const t = i / length, half = i % 6 === 0 ? 0.32 : 0.18;
      const [x, y, z] = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
      marks.push(ribbon([[x - across[0]! * half, y - across[1]! * half, z], [x + across[0]! * half, y + across[1]! * half, z]], 0.06));
    }
    return [ribbon([a, b], 0.16), joined(marks)];
  }, [from, to]);
  return (
    <group>
      <Paint geometry={line} colour={look.brass} opacity={0.95} order={507} />
      <Paint geometry={ticks} colour={look.ink} opacity={0.9} order={508} />
    </group>
  );
}

/** An arrow in the air from who acts to whom it is done. */
export function Deed({ from, to, look }: { from: Point3; to: Point3; look: Look }) {
  const [line, head] = useMemo(() => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const long = Math.hypot(dx, dy) || 1;
    const high = Math.min(4, 0.8 + long * 0.12);
    const arc = Array.from({ length: 17 }, (_, i): Point3 => {
      const t = i / 16;
      return [from[0] + dx * t, from[1] + dy * t, from[2] + (to[2] - from[2]) * t + high * 4 * t * (1 - t)];
    });
    const [ux, uy] = [dx / long, dy / long];
    const tip = (back: number, side: number): Point3 => [to[0] - ux * back - uy * side, to[1] - uy * back + ux * side, to[2] + 0.1];
    return [ribbon(arc, 0.22), ribbon([tip(0.9, 0.5), tip(0, 0), tip(0.9, -0.5)], 0.22)];
  }, [from, to]);
  return (
    <group>
      <Paint geometry={line} colour={look.bad} opacity={0.85} order={509} />
      <Paint geometry={head} colour={look.bad} opacity={0.95} order={510} />
    </group>
  );
}

/** A thread between two eyes; where something is in its way there is a knot. */
export function Thread({ from, to, clear, knots, look }: { from: Point3; to: Point3; clear: boolean; knots: Point3[]; look: Look }) {
  const positions = useMemo(() => new Float32Array([from[0], from[2], -from[1], to[0], to[2], -to[1]]), [from, to]);
  return (
    <group>
      <lineSegments renderOrder={509}>
        <bufferGeometry>
          <bufferAttribute attach="attributes-position" args={[positions, 3]} />
        </bufferGeometry>
        <lineBasicMaterial color={clear ? "#ffffff" : look.bad} depthTest={false} transparent />
      </lineSegments>
      {knots.map(([x, y, z], i) => (
        <mesh key={i} position={[x, z, -y]} renderOrder={509}>
          <octahedronGeometry args={[0.22]} />
          <meshBasicMaterial color={look.bad} depthTest={false} transparent />
        </mesh>
      ))}
    </group>
  );
}

/** Arms of a protractor from a piece's front, with the quarter circle between them. */
export function Protractor({ piece, look }: { piece: Piece; look: Look }) {
  const geometry = useMemo(() => {
    const radius = Math.max(piece.shape.width, piece.shape.depth) / 2 + 3;
    const point = (degrees: number, r: number): Point3 => {
      const a = ((piece.facing + degrees) * Math.PI) / 180;
      return [piece.x + r * Math.sin(a), piece.y + r * Math.cos(a), piece.z + 0.1];
    };
    const arc = Array.from({ length: 37 }, (_, i) => point(-90 + i * 5, radius));
    const arms = [-90, -45, 0, 45, 90].map((d) => ribbon([point(d, d % 90 ? radius - 0.6 : 0.6), point(d, radius)], 0.06));
    return joined([ribbon(arc, 0.06), ...arms]);
  }, [piece]);
  return <Paint geometry={geometry} colour={look.ink} opacity={0.55} order={506} />;
}
