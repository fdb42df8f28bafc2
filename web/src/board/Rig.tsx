import { useFrame, useThree } from "@react-three/fiber";
import { useEffect, useRef } from "react";
import { MathUtils, type PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";
import type { Piece } from "../protocol";
import { LENS, useCamera } from "./camera";
import { fromWorld, toWorld } from "./world";
import type { Ray } from "./pick";

/** What other parts of the board ask of the camera: rays from the window, and places in the window. */
export const lens = {
  ray: (_x: number, _y: number): Ray | null => null,
  project: (_x: number, _y: number, _z: number): [number, number] | null => null,
  invalidate: () => {},
  /** How many draw calls the last frame took. */
  calls: () => 0,
  /** Called after every frame, so that labels keep their places. */
  listeners: new Set<() => void>(),
};

const caster = new Raycaster();
const KEYS = ["x", "y", "z", "span", "azimuth", "tilt", "lens"] as const;
type Pose = Record<(typeof KEYS)[number], number>;

export function Rig({ pieces, animate }: { pieces: Piece[]; animate: boolean }) {
  const { camera, gl, size, invalidate } = useThree();
  const now = useRef<Pose | null>(null);
  const eye = useCamera();

  useEffect(() => {
    lens.invalidate = () => invalidate();
    lens.calls = () => gl.info.render.calls;
    lens.ray = (x, y) => {
      caster.setFromCamera(new Vector2((x / size.width) * 2 - 1, 1 - (y / size.height) * 2), camera);
      const { origin, direction } = caster.ray;
      return { from: fromWorld(origin), along: [direction.x, -direction.z, direction.y] };
    };
    lens.project = (x, y, z) => {
      const v = toWorld(x, y, z).project(camera);
      return v.z > 1 ? null : [((v.x + 1) / 2) * size.width, ((1 - v.y) / 2) * size.height];
    };
    // Browser tests point at places on the table through this.
    (window as unknown as { umpireLens?: typeof lens }).umpireLens = lens;
    invalidate();
  }, [camera, gl, size, invalidate]);

  useEffect(() => invalidate(), [eye, pieces, invalidate]);

  useFrame((_, delta) => {
    const goal: Pose = { x: eye.x, y: eye.y, z: eye.z, span: eye.span, azimuth: eye.azimuth, tilt: eye.tilt, lens: LENS[eye.mode] };
    const pose = (now.current ??= { ...goal });
    const share = animate ? 1 - Math.exp(-Math.min(delta, 0.05) * 14) : 1;
    let moving = false;
    for (const key of KEYS) {
      let gap = goal[key] - pose[key];
      if (key === "azimuth") gap = ((((gap + 180) % 360) + 360) % 360) - 180;
      if (Math.abs(gap) < 0.005) pose[key] = goal[key];
      else {
        pose[key] += gap * share;
        moving = true;
      }
    }
    aim(camera as PerspectiveCamera, pose, eye.mode === "eye" ? pieces.find((p) => p.id === eye.piece) : undefined);
    if (moving) invalidate();
    lens.listeners.forEach((f) => f());
  });
  return null;
}

function aim(camera: PerspectiveCamera, pose: Pose, borrowed: Piece | undefined): void {
  const azimuth = MathUtils.degToRad(pose.azimuth), tilt = MathUtils.degToRad(pose.tilt);
  const ahead = new Vector3(Math.sin(azimuth), 0, -Math.cos(azimuth));
  const up = new Vector3(0, 1, 0);
  const down = up.clone().multiplyScalar(-Math.cos(tilt)).addScaledVector(ahead, Math.sin(tilt));
  camera.fov = pose.lens;
  camera.up.copy(ahead.multiplyScalar(Math.cos(tilt)).addScaledVector(up, Math.sin(tilt)));
  if (borrowed) {
    camera.position.copy(toWorld(borrowed.x, borrowed.y, borrowed.z + borrowed.height * 0.92));
    camera.near = 0.15;
    camera.far = 400;
  } else {
    const away = pose.span / 2 / Math.tan(MathUtils.degToRad(pose.lens) / 2);
    camera.position.copy(toWorld(pose.x, pose.y, pose.z)).addScaledVector(down, -away);
    camera.near = Math.max(0.5, away - pose.span * 2 - 30);
    camera.far = away + pose.span * 3 + 200;
  }
  camera.lookAt(camera.position.clone().add(down));
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
}
