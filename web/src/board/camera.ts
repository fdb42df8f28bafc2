/** Where the eye is. One camera serves all three views: the map is seen from far above through a long lens. */
import { create } from "zustand";
import type { Piece } from "../protocol";

export type Mode = "map" | "orbit" | "eye";

export interface Eye {
  mode: Mode;
  /** The point looked at, in table coordinates. */
  x: number;
  y: number;
  z: number;
  /** Inches of table that fit the height of the window. */
  span: number;
  azimuth: number;
  /** 0: straight down; 90: level. */
  tilt: number;
  /** The piece whose eyes are borrowed. */
  piece: string | null;
}

interface CameraState extends Eye {
  /** Floors from this height up are faded. */
  floors: number;
  /** The window's width over its height. */
  aspect: number;
  /** The direction in which the player looks from their own edge. */
  home: number;
  set: (change: Partial<Eye & { floors: number; aspect: number; home: number }>) => void;
}

export const useCamera = create<CameraState>((set) => ({
  mode: "map",
  x: 0,
  y: 0,
  z: 0,
  span: 30,
  azimuth: 0,
  tilt: 0,
  piece: null,
  floors: Infinity,
  aspect: 1,
  home: 0,
  set,
}));

/** The map is seen a little aslant, so that heights show; straight down is a click away. */
export const SLANT = 16;

export const LENS = { map: 12, orbit: 36, eye: 62 };

/** The player's own edge is at the bottom; a tall window turns a wide table, so that it fills it. */
export function facing(width: number, depth: number): number {
  const { home, aspect } = useCamera.getState();
  const lying = home % 180 === 0 ? width > depth : depth > width;
  return lying && aspect < 0.8 ? (home + 270) % 360 : home;
}

/** Everything on the table, with a margin for the frame; seen aslant, the near edge needs more room. */
export function fit(width: number, depth: number, mode: Mode): Partial<Eye> {
  const { aspect } = useCamera.getState();
  const azimuth = facing(width, depth);
  const [across, along] = azimuth % 180 === 0 ? [width, depth] : [depth, width];
  // Tools stand above the table and those in reserve below it.
  const span = Math.max((along + 2.6) * 1.15, (across + 2.6) / aspect);
  return { x: width / 2, y: depth / 2, z: 0, span: mode === "map" ? span : Math.max(along * 1.05, ((across + 2.6) / aspect) * 1.1) };
}

type Looker = Pick<Piece, "id" | "side" | "x" | "y" | "facing">;

/** Where a piece looks: ahead, or to the nearest enemy where bases have no front. */
function gaze(piece: Looker, pieces: Looker[]): number {
  if (pieces.some((p) => p.facing)) return piece.facing;
  const far = (p: Looker) => Math.hypot(p.x - piece.x, p.y - piece.y);
  const foe = pieces.filter((p) => p.side !== piece.side).sort((a, b) => far(a) - far(b))[0];
  return foe ? (Math.atan2(foe.x - piece.x, foe.y - piece.y) * 180) / Math.PI : 0;
}

export function look(mode: Mode, table: { width: number; depth: number; pieces: Looker[] }, piece: Looker | null): void {
  const camera = useCamera.getState();
  const whole = fit(table.width, table.depth, mode);
  if (mode === "map") camera.set({ mode, tilt: camera.mode === "map" && camera.tilt === SLANT ? 0 : SLANT, azimuth: facing(table.width, table.depth), piece: null, ...whole });
  else if (mode === "orbit") camera.set({ mode, tilt: 54, azimuth: facing(table.width, table.depth), piece: null, ...whole });
  else if (piece) camera.set({ mode, tilt: 88, azimuth: gaze(piece, table.pieces), piece: piece.id });
}

export function zoom(by: number): void {
  const { span, set } = useCamera.getState();
  set({ span: Math.min(120, Math.max(4, span * by)) });
}
