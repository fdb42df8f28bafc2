import { useEffect, useRef } from "react";
import { lens } from "./Rig";

type At = [number, number, number];

/** Words that keep their place over the table while the camera moves. */
export function Label({ at, className, children, lift = 0 }: { at: At; className: string; children: React.ReactNode; lift?: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [x, y, z] = at;
  useEffect(() => {
    const place = () => {
      const seen = lens.project(x, y, z);
      if (!box.current) return;
      const wide = box.current.parentElement!.clientWidth, half = box.current.offsetWidth / 2;
      const inside = seen !== null && seen[0] >= 0 && seen[0] <= wide;
      box.current.style.visibility = inside ? "visible" : "hidden";
      // What it names is in the window, so all of the word is.
      if (inside) put(box.current, Math.min(wide - half, Math.max(half, seen[0])), seen[1] - lift);
    };
    place();
    lens.listeners.add(place);
    return () => void lens.listeners.delete(place);
  }, [x, y, z, lift]);
  return (
    <div ref={box} className={`label ${className}`}>
      {children}
    </div>
  );
}

function put(box: HTMLElement, x: number, y: number): void {
  box.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
}

/** How far from the upper edge, where the tools are, and the lower edge of the window a mark stands. */
const MARGIN = [64, 60] as const;

/** What is being shown or asked about is outside of the window: a mark at its edge says where, and a click looks there. */
export function Beyond({ at, children, onLook }: { at: At; children: React.ReactNode; onLook: () => void }) {
  const box = useRef<HTMLButtonElement>(null);
  const [x, y, z] = at;
  useEffect(() => {
    const place = () => {
      const mark = box.current, seen = lens.project(x, y, z);
      if (!mark) return;
      const { clientWidth: wide, clientHeight: high } = mark.parentElement!;
      const out = seen !== null && (seen[0] < 0 || seen[0] > wide || seen[1] < 0 || seen[1] > high);
      mark.style.visibility = out ? "visible" : "hidden";
      if (!out) return;
      const half = mark.offsetWidth / 2 + 4;
      const [px, py] = [Math.min(wide - half, Math.max(half, seen[0])), Math.min(high - MARGIN[1], Math.max(MARGIN[0], seen[1]))];
      put(mark, px, py);
      mark.style.setProperty("--towards", `${Math.atan2(seen[1] - py, seen[0] - px).toFixed(2)}rad`);
    };
    place();
    lens.listeners.add(place);
    return () => void lens.listeners.delete(place);
  }, [x, y, z]);
  return (
    <button ref={box} className="beyond" onClick={(e) => (e.stopPropagation(), onLook())} data-beyond>
      {children} <i aria-hidden="true">➤</i>
    </button>
  );
}

interface Crowded {
  box: HTMLElement;
  at: At;
  /** Where it may stand instead: above what it names. */
  over?: At | undefined;
  /** Who is placed first; below 1 a label gives way altogether. */
  weight: number;
  /** Only where it belongs, or a little below or above, and on no piece; else not at all. */
  firm: boolean;
}

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

const crowd = new Set<Crowded>();
/** Pieces that labels keep off where they can: the middle, and a point of the rim. */
let bodies: [At, At][] = [];

export function keepOff(pieces: { x: number; y: number; z: number; shape: { width: number; depth: number } }[]): void {
  bodies = pieces.map(({ x, y, z, shape }) => [[x, y, z], [x + Math.min(shape.width, shape.depth || shape.width) / 2, y, z]]);
}

const overlap = (a: Rect, b: Rect) => Math.abs(a.x - b.x) * 2 < a.w + b.w && Math.abs(a.y - b.y) * 2 < a.h + b.h;

/** Put labels side by side that would lie on one another: each tries places ever further from its own. */
export function settled(wishes: (Rect & { weight: number; over?: number | undefined; firm?: boolean })[], taken: Rect[]): (Rect | null)[] {
  const put: Rect[] = [];
  const order = wishes.map((_, i) => i).sort((a, b) => wishes[b]!.weight - wishes[a]!.weight || wishes[a]!.y - wishes[b]!.y);
  const found: (Rect | null)[] = wishes.map(() => null);
  for (const i of order) {
    const { x, y, w, h, weight, over, firm } = wishes[i]!;
    const down = h + 1;
    const steps = firm ? [[0, 0], [0, down], [0, -down], [0, 2 * down], [0, -2 * down], [0, -3 * down]] : [[0, 0], ...(over === undefined ? [] : [[0, over - y]]), [0, down], [0.6 * w, 0], [-0.6 * w, 0], [0.6 * w, down], [-0.6 * w, down], [0, 2 * down], [0, -down], [0, 3 * down]];
    const places = steps.map(([dx, dy]) => ({ x: x + dx!, y: y + dy!, w, h }));
    const free = places.filter((place) => !put.some((other) => overlap(place, other)));
    const best = free.find((place) => !taken.some((other) => overlap(place, other))) ?? (firm ? null : (free[0] ?? (weight >= 1 ? places[0]! : null)));
    if (best) put.push(best);
    found[i] = best;
  }
  return found;
}

/** What lies over the table at its edges: no word is put behind it. */
function furniture(): Rect[] {
  const middle = document.querySelector(".middle");
  if (!middle) return [];
  const { left, top } = middle.getBoundingClientRect();
  return [...middle.querySelectorAll(".reserve, .tools, .tray")].map((element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x - left + box.width / 2, y: box.y - top + box.height / 2, w: box.width, h: box.height };
  });
}

function settle(): void {
  const shown = [...crowd].flatMap((label) => {
    const seen = lens.project(...label.at);
    if (!seen) label.box.style.visibility = "hidden";
    const h = label.box.offsetHeight, over = label.over && lens.project(...label.over);
    return seen ? [{ label, x: seen[0], y: seen[1] + h / 2 + 2, w: label.box.offsetWidth + 2, h, weight: label.weight, firm: label.firm, over: over ? over[1] - h / 2 - 2 : undefined }] : [];
  });
  const taken = bodies.flatMap(([middle, rim]) => {
    const [a, b] = [lens.project(...middle), lens.project(...rim)];
    const size = a && b ? 1.4 * Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    return a ? [{ x: a[0], y: a[1], w: size, h: size }] : [];
  });
  settled(shown, [...taken, ...furniture()]).forEach((place, i) => {
    const { box } = shown[i]!.label;
    const { clientWidth: wide, clientHeight: high } = box.parentElement!;
    box.style.visibility = place && place.y + place.h / 2 <= high ? "visible" : "hidden";
    if (place) put(box, Math.min(wide - place.w / 2, Math.max(place.w / 2, place.x)), place.y);
  });
}

/** A label below `at` that makes room for others. */
export function CrowdedLabel({ at, over, className, children, weight, firm = false }: { at: At; over?: At; className: string; children: React.ReactNode; weight: number; firm?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [x, y, z] = at;
  const top = over?.[1];
  useEffect(() => {
    const label: Crowded = { box: box.current!, at: [x, y, z], over: top === undefined ? undefined : [x, top, z], weight, firm };
    crowd.add(label);
    lens.listeners.add(settle);
    lens.invalidate();
    return () => void crowd.delete(label);
  }, [x, y, z, top, weight, firm]);
  return (
    <div ref={box} className={`label ${className}`}>
      {children}
    </div>
  );
}
