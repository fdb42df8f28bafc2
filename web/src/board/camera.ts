/** Where the eye is. One camera serves all three views: the map is seen from far above through a long lens. */
import { create } from "zustand";

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
  floors: number;
  set: (change: Partial<Eye & { floors: number }>) => void;
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
  set,
}));

export const LENS = { map: 12, orbit: 36, eye: 62 };

/** Everything on the table, with a margin for the frame. */
export function fit(width: number, depth: number, aspect: number): { x: number; y: number; z: number; span: number } {
  return { x: width / 2, y: depth / 2, z: 0, span: Math.max(depth + 2.6, (width + 2.6) / aspect) };
}

export function look(mode: Mode, piece: { id: string; x: number; y: number; z: number; facing: number } | null): void {
  const camera = useCamera.getState();
  if (mode === "map") camera.set({ mode, tilt: 0, azimuth: 0, z: 0, piece: null });
  else if (mode === "orbit") camera.set({ mode, tilt: 52, z: 0, piece: null });
  else if (piece) camera.set({ mode, tilt: 88, azimuth: piece.facing, piece: piece.id });
}

export function zoom(by: number): void {
  const { span, set } = useCamera.getState();
  set({ span: Math.min(120, Math.max(4, span * by)) });
}
