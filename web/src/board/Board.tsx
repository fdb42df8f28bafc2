import { Canvas } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import type { Declare, Part, Piece, Point3, TerrainPiece } from "../protocol";
import { useSettings } from "../settings";
import { shown, useDraft } from "../table/draft";
import type { Placement, Way as Line } from "../table/moving";
import { acts, question, spoken, useTable } from "../table/store";
import { useUi } from "../table/ui";
import { corners } from "../table/wheeling";
import { Sign } from "../panels/Sign";
import { befalls, inches, sentence, short, useText } from "../text";
import { facing, fit, SLANT, useCamera } from "./camera";
import { DeedRing } from "./DeedRing";
import { useDrawn } from "./drawn";
import { edgesOf, Markers, TableTop, Zones } from "./Ground";
import { Hands, holding } from "./hands";
import { Beyond, CrowdedLabel, keepOff, Label } from "./Labels";
import { LOOKS } from "./look";
import { Deed, Ghosts, Knobs, Protractor, Regions, Tape, Thread, Ways } from "./Overlays";
import type { Mark } from "./PieceField";
import { Pieces } from "./Pieces";
import { Reserve } from "./Reserve";
import { Rig } from "./Rig";
import { Terrain } from "./Terrain";
import { Tools } from "./Tools";

export function Board() {
  const { tx } = useText();
  const view = useTable((s) => s.view);
  const ask = useTable(question);
  const { theme, animate, names, shadows, fine } = useSettings();
  const { hover, spoken: told, selected, measuring, aim, from, measured } = useUi();
  const { regions, picked, focus, touched, move, ruling } = useDraft();
  const camera = useCamera();
  const picture = view?.picture ?? null;
  const drawn = useDrawn(picture);
  const current = useTable((s) => s.current);
  const hurts = useTable((s) => s.hurts);
  const deed = useMemo(() => deedOf(spoken(current, view), picture), [current, view, picture]);
  const doer = spoken(current, view)[0] ?? picture?.cards.find((c) => acts(c, ask))?.id;
  const doing = useMemo(() => middleOf(doer, picture), [doer, picture]);
  const aims = useDraft((s) => (s.decision?.kind === "declare" ? s.parts : NO_PARTS));
  const shots = useMemo(() => (ask?.kind === "declare" ? aimed(ask, aims).flatMap((units) => deedOf(units, picture) ?? []) : []), [ask, aims, picture]);
  const look = LOOKS[theme];
  const box = useRef<HTMLDivElement>(null);
  const watching = useRef<ResizeObserver | null>(null);
  const scene = useRef({ picture, drawn, covered: NO_PIECES });

  useEffect(() => {
    const element = box.current!;
    const hands = new Hands(element, () => scene.current);
    element.addEventListener("pointerdown", hands.down);
    element.addEventListener("pointermove", hands.move);
    element.addEventListener("pointerup", hands.up);
    element.addEventListener("pointercancel", hands.up);
    element.addEventListener("wheel", hands.wheel, { passive: false });
    const menu = (e: Event) => e.preventDefault();
    element.addEventListener("contextmenu", menu);
    return () => {
      element.removeEventListener("pointerdown", hands.down);
      element.removeEventListener("pointermove", hands.move);
      element.removeEventListener("pointerup", hands.up);
      element.removeEventListener("pointercancel", hands.up);
      element.removeEventListener("wheel", hands.wheel);
      element.removeEventListener("contextmenu", menu);
    };
  }, []);

  const glow = useMemo(() => {
    const ids = new Set<string>();
    if (ask && "options" in ask) for (const o of ask.options) for (const ref of [o.id, ...(o.refs ?? [])]) ids.add(ref);
    for (const id of drawn.movers) ids.add(id);
    if (ask?.about) ids.add(ask.about);
    return ids;
  }, [ask, drawn.movers]);
  // Floors fade over what is chosen or pointed at, and over whoever may act or be chosen now: a hand reaches them there.
  const pointed = hover && (drawn.pieces.find((p) => p.id === hover)?.unit ?? hover);
  const covered = useMemo(
    () => drawn.pieces.filter((p) => p.unit === selected || p.unit === pointed || glow.has(p.id) || glow.has(p.unit)),
    [drawn.pieces, selected, pointed, glow],
  );
  scene.current = { picture, drawn, covered };

  const [width, depth] = [picture?.width, picture?.depth];
  const home = picture?.homes[view?.side ?? 0] ?? 0;
  useEffect(() => {
    if (!width || !depth || !box.current) return;
    camera.set({ mode: "map", tilt: SLANT, home, azimuth: home, piece: null });
    let before: DOMRectReadOnly | null = null;
    let own = 0;
    const watch = new ResizeObserver(([entry]) => {
      const now = entry!.contentRect;
      if (!now.width || !now.height) return;
      const { span, y, mode } = useCamera.getState();
      if (mode !== "map" && before?.width === now.width && before.height === now.height) return;
      camera.set({ aspect: now.width / now.height });
      if (mode !== "eye") camera.set({ azimuth: facing(width, depth) });
      const whole = fit(width, depth, mode);
      const kept = before && before.width === now.width && mode === "map" ? (span * now.height) / before.height : 0;
      // Where only the answers below have grown, nothing on the table moves under the hand; but no edge is lost before it is taken in hand.
      const asFitted = span === own;
      const inHand = holding.now || (useDraft.getState().touched && useDraft.getState().move);
      const lost = asFitted && !inHand && (kept / whole.span! < 0.99 || kept / whole.span! > 1.12);
      if (kept && !lost) camera.set({ span: kept, y: y + ((before!.height - now.height) / 2) * (span / before!.height) });
      else camera.set(whole);
      // Who has come nearer stays there, however often the answers grow and shrink.
      if (asFitted || !kept) own = useCamera.getState().span;
      before = now;
    });
    watch.observe(box.current);
    watching.current = watch;
    return () => watch.disconnect();
  }, [width, depth, home]);
  // What was not fitted because something was in hand is fitted when that is done.
  useEffect(() => {
    if (!box.current || !watching.current) return;
    watching.current.unobserve(box.current);
    watching.current.observe(box.current);
  }, [ask]);

  // Terrain comes anew with every view; its shadows only change when it does, or when floors fade over what is selected.
  const scenery = useMemo(() => JSON.stringify(picture?.terrain ?? []) + covered.map((p) => p.id), [picture?.terrain, covered]);
  const edges = useMemo(() => edgesOf({ width: width ?? 0, depth: depth ?? 0 }), [width, depth]);
  const units = useMemo(() => unitsOf(drawn.pieces), [drawn.pieces]);
  useEffect(() => keepOff(drawn.pieces), [drawn.pieces]);
  const marks = useMemo(() => {
    const marks = new Map<string, Mark>();
    const done = new Set(picture?.cards.filter((c) => c.done && !acts(c, ask)).map((c) => c.id));
    const chosen = new Set(picked);
    const focused = ask?.kind === "choose" ? ask.options[focus] : undefined;
    for (const piece of drawn.pieces) {
      const mine = (ids: Set<string>) => ids.has(piece.id) || ids.has(piece.unit);
      const ring = told.includes(piece.unit) ? "hover"
        : chosen.size && mine(chosen) ? "picked"
        : focused && mine(new Set([focused.id, ...(focused.refs ?? [])])) ? "hover"
        : mine(glow) ? "may"
        : piece.unit === selected ? "selected"
        : piece.unit === pointed ? "hover" : undefined;
      marks.set(piece.id, { ...(ring ? { ring } : {}), done: done.has(piece.unit) });
    }
    return marks;
  }, [picture, drawn.pieces, glow, picked, ask, focus, pointed, selected, told]);

  const knobs = useMemo(() => (ask?.kind === "move" ? corners(shown({ move, ruling, touched }), drawn.pieces) : []), [ask, move, ruling, touched, drawn.pieces]);

  if (!picture) return <div className="board" ref={box} />;
  const hovered = drawn.pieces.find((p) => p.id === hover);
  const measureFrom = from && typeof from.end === "string" ? drawn.pieces.find((p) => p.id === from.end) : undefined;
  const bent = camera.mode === "eye" ? camera.piece : null;
  return (
    <div className={measuring ? "board measuring" : "board"} ref={box}>
      <Canvas key={`${shadows} ${fine}`} flat frameloop="demand" shadows={shadows ? "percentage" : false} dpr={fine ? [1, 2] : COARSE} gl={{ antialias: fine, stencil: true, powerPreference: "high-performance" }} onCreated={({ gl }) => {
        gl.localClippingEnabled = true;
        gl.shadowMap.autoUpdate = false;
      }}>
        <color attach="background" args={[look.back]} />
        <Rig pieces={drawn.pieces} animate={animate} />
        <hemisphereLight args={["#fff8ea", "#8a7a5c", look.sky]} />
        {look.candle > 0 && <pointLight position={[picture.width / 2, picture.depth * 0.45, -picture.depth / 2]} intensity={look.candle * picture.depth * picture.depth} color="#ffd08a" decay={2} />}
        <Sun width={picture.width} depth={picture.depth} strength={look.sun} />
        <TableTop picture={picture} look={look} grid={measuring || touched} />
        <Zones zones={picture.zones} look={look} edges={edges} />
        <Terrain terrain={picture.terrain} look={look} below={camera.floors} under={covered} glow={glow} pieces={drawn.pieces} />
        <Markers markers={picture.markers} look={look} glow={glow} edges={edges} />
        <Regions regions={regions} look={look} edges={edges} />
        <Ghosts ghosts={drawn.ghosts} look={look} />
        <Pieces pieces={drawn.pieces} marks={marks} look={look} glide={animate && !touched} below={camera.floors} eye={bent} scenery={scenery} />
        <Ways ways={drawn.ways} look={look} />
        {knobs.length > 0 && <Knobs corners={knobs} look={look} />}
        {shots.map((shot, i) => <Deed key={i} from={shot.from} to={shot.to} look={look} />)}
        {aim && <Deed from={aim.from} to={aim.to} look={look} />}
        {deed && <Deed from={deed.from} to={deed.to} look={look} />}
        {measureFrom && <Protractor piece={measureFrom} look={look} />}
        {measured && <Tape from={measured.result?.line[0] ?? measured.from} to={measured.result?.line[1] ?? measured.to} look={look} />}
        {measured?.result?.sight && (
          <Thread from={measured.result.sight.line[0]} to={measured.result.sight.line[1]} clear={measured.result.sight.clear} knots={measured.result.sight.blockers.map((b) => b.at)} look={look} />
        )}
      </Canvas>
      <div className={`labels ${camera.mode}`} aria-hidden="true">
        {picture.zones.map((zone) => zone.label && <ZoneLabel key={zone.id} points={zone.points} text={zone.label} side={zone.side} line={!zone.closed} table={picture} />)}
        {/* What marks a unit stands beside its name. */}
        {picture.markers.map((m) => m.label && !m.label.key?.startsWith("mark.") && <MarkerLabel key={m.id} at={[m.x, m.y, m.z]} text={m.label} />)}
        {units.map((unit) => {
          // While it is being moved, its way says more than its name.
          if (touched && unit.pieces.some((id) => drawn.movers.has(id))) return null;
          const chosen = hovered?.unit === unit.id || selected === unit.id || told.includes(unit.id);
          return <UnitLabel key={unit.id} unit={unit.id} at={unit.at} over={unit.over} named={names || chosen} chosen={chosen} />;
        })}
        {drawn.ways.length === 1
          ? drawn.ways[0]!.slice(1).map((to, i) => <CostLabel key={i} from={drawn.ways[0]![i]!} to={to} cost={to.cost} />)
          : drawn.ways.length > 1 && <LongestLabel ways={drawn.ways} />}
        {!touched && <TerrainLabel terrain={picture.terrain.find((p) => p.id === hover)} />}
        {measured && <MeasureLabel />}
        {hurts.map((hurt) => (
          <Label key={`${hurt.id}.${view?.answers}`} className={hurt.by !== null && hurt.by > 0 ? "hurt heal" : "hurt"} at={[hurt.x, hurt.y, hurt.z]}>
            {hurt.by === null ? "✕" : hurt.by > 0 ? `+${hurt.by}` : `−${-hurt.by}`}
          </Label>
        ))}
      </div>
      {doing && camera.mode !== "eye" && (
        <Beyond at={doing} onLook={() => camera.set({ x: doing[0], y: doing[1] })}>{tx(picture.cards.find((c) => c.id === doer)?.name)}</Beyond>
      )}
      <DeedRing pieces={drawn.pieces} />
      <Reserve />
      <Tools pieces={drawn.pieces} />
    </div>
  );
}

const NO_PARTS: Part[] = [];
/** Pixels of the drawing to one of the screen where it need not be fine. */
const COARSE = 0.5;
const NO_PIECES: Piece[] = [];

/** Who is aimed at by a declaration as it stands: the unit of each row and what that has chosen on the table. */
function aimed(ask: Declare, parts: Part[]): [string, string][] {
  const rows = new Map(ask.rows.map((row) => [row.id, row]));
  const found = parts.flatMap(({ row, choose }) =>
    Object.entries(choose).flatMap(([name, id]) => rows.get(row)?.choices[name]?.find((option) => option.id === id)?.refs?.slice(0, 1) ?? []));
  return [...new Set(found)].map((unit) => [ask.about, unit]);
}

/** From who acts to whom it is done, while that is being shown. */
function deedOf(units: string[], picture: { pieces: Piece[] } | null): { from: Point3; to: Point3 } | null {
  const [from, to] = [middleOf(units[0], picture), middleOf(units[1], picture)];
  return from && to ? { from, to } : null;
}

function middleOf(unit: string | undefined, picture: { pieces: Piece[] } | null): Point3 | null {
  const own = picture?.pieces.filter((p) => p.unit === unit) ?? [];
  if (!own.length) return null;
  const mean = (pick: (p: Piece) => number) => own.reduce((sum, p) => sum + pick(p), 0) / own.length;
  return [mean((p) => p.x), mean((p) => p.y), mean((p) => p.z + p.height * 0.6)];
}

function unitsOf(pieces: Piece[]): { id: string; at: Point3; over: Point3; pieces: string[] }[] {
  const byUnit = new Map<string, Piece[]>();
  for (const p of pieces) byUnit.set(p.unit, [...(byUnit.get(p.unit) ?? []), p]);
  return [...byUnit].map(([id, own]) => {
    const mean = (pick: (p: Piece) => number) => own.reduce((sum, p) => sum + pick(p), 0) / own.length;
    const [x, z] = [mean((p) => p.x), mean((p) => p.z)];
    const edge = (far: 1 | -1) => own.map((p) => p.y + (far * p.shape.depth) / 2);
    return { id, at: [x, Math.min(...edge(-1)), z], over: [x, Math.max(...edge(1)), z], pieces: own.map((p) => p.id) };
  });
}

function Sun({ width, depth, strength }: { width: number; depth: number; strength: number }) {
  const reach = Math.max(width, depth) * 0.75 + 4;
  const target = useMemo(() => [width / 2, 0, -depth / 2] as const, [width, depth]);
  return (
    <directionalLight
      position={[target[0] - reach * 0.45, reach * 1.1, target[2] - reach * 0.35]}
      intensity={strength}
      castShadow
      shadow-mapSize={[2048, 2048]}
      shadow-normalBias={0.04}
      shadow-camera-left={-reach}
      shadow-camera-right={reach}
      shadow-camera-top={reach}
      shadow-camera-bottom={-reach}
      shadow-camera-far={reach * 4}
      target-position={target}
      onUpdate={(light) => light.target.updateMatrixWorld()}
    />
  );
}

/** Statuses are tags of a letter or two; pointed at, they are words beside the unit's name. */
function UnitLabel({ unit, at, over, named, chosen }: { unit: string; at: Point3; over: Point3; named: boolean; chosen: boolean }) {
  const card = useTable((s) => s.view?.picture.cards.find((c) => c.id === unit));
  const { tx, lang } = useText();
  const tags = befalls(card);
  if (!card || (!named && tags.length === 0)) return null;
  return (
    <CrowdedLabel at={at} over={over} className={`unit side${card.side}${chosen ? " chosen" : ""}`} weight={chosen ? 2 : named ? 1 : 0}>
      {named && <b>{tx(card.name)}</b>}
      {tags.slice(0, chosen ? 6 : 3).map((tag, i) => (
        <i key={i}>{chosen ? tx(tag) : short(tx(tag), lang)}</i>
      ))}
    </CrowdedLabel>
  );
}

function ZoneLabel({ points, text, side, line, table }: { points: [number, number][]; text: { zh: string; en: string }; side: number | null; line: boolean; table: { width: number; depth: number } }) {
  const { tx } = useText();
  const mean = (axis: 0 | 1, most: number) => points.reduce((sum, p) => sum + Math.min(most, Math.max(0, p[axis])), 0) / points.length;
  const [[ax, ay], [bx, by]] = [points[0]!, points[1] ?? points[0]!];
  // A line carries its name near one end, out of the way of what crosses it.
  const [x, y] = line ? [ax + (bx - ax) * 0.12, ay + (by - ay) * 0.12] : [mean(0, table.width), mean(1, table.depth)];
  const className = `zone side${side ?? "n"}${line ? " line" : ""}`;
  return <CrowdedLabel at={[x, y, 0]} className={className} weight={0.5} firm>{sentence(tx(text))}</CrowdedLabel>;
}

function CostLabel({ from, to, cost }: { from: Placement; to: Placement; cost: number }) {
  if (cost < 0.05) return null;
  return <Label className="cost" at={[(to.x + from.x) / 2, (to.y + from.y) / 2, (to.z + from.z) / 2]}>{inches(cost)}</Label>;
}

/** Terrain that is pointed at says what it is. */
function TerrainLabel({ terrain }: { terrain: TerrainPiece | undefined }) {
  const { tx } = useText();
  if (!terrain) return null;
  const points = terrain.blocks.flatMap((b) => b.points);
  const middle = (axis: 0 | 1) => (Math.min(...points.map((p) => p[axis])) + Math.max(...points.map((p) => p[axis]))) / 2;
  return (
    <Label className="terrain" at={[middle(0), middle(1), Math.max(...terrain.blocks.map((b) => b.top))]}>
      <b>{tx(terrain.name)}</b>
      {terrain.tags.map((tag, i) => (
        <span key={i}>{tx(tag)}</span>
      ))}
    </Label>
  );
}

/** Of many models the one that goes furthest says how far. */
function LongestLabel({ ways }: { ways: Line[] }) {
  const cost = (way: Line) => way.reduce((sum, spot) => sum + spot.cost, 0);
  const longest = ways.reduce((a, b) => (cost(b) > cost(a) ? b : a));
  return <CostLabel from={longest[0]!} to={longest.at(-1)!} cost={cost(longest)} />;
}

function MarkerLabel({ at, text }: { at: Point3; text: { zh: string; en: string } }) {
  const { tx } = useText();
  return <Label at={at} className="marker" lift={-20}>{sentence(tx(text))}</Label>;
}

function MeasureLabel() {
  const { t, tx } = useText();
  const measured = useUi((s) => s.measured)!;
  const { result } = measured;
  const [a, b] = result?.line ?? [measured.from, measured.to];
  const plain = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return (
    <Label className="tape" at={[(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]} lift={26}>
      <b>{inches(result?.distance ?? plain)}</b>
      {result && result.vertical > 0.01 && <span>{t("horizontal")} {inches(result.horizontal)} · {t("vertical")} {inches(result.vertical)}</span>}
      {result?.sight && (
        <span className={result.sight.clear ? "" : "bad"}>
          <Sign rules={result.sight.rules.slice(0, 2)} />
          {result.sight.clear ? t(result.sight.cover ? "sightCover" : "sightClear") : t("sightBlocked", { what: [...new Set(result.sight.blockers.map((x) => tx(x.name)))].join(", ") || "–" })}
        </span>
      )}
    </Label>
  );
}
