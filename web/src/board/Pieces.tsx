import { useFrame, useThree } from "@react-three/fiber";
import { useEffect, useMemo, useRef } from "react";
import type { Piece } from "../protocol";
import type { Look } from "./look";
import { PieceField, type Mark } from "./PieceField";

const SECONDS = 0.36;
const AXES = ["x", "y", "z", "facing"] as const;

/** Draws the pieces and lets them glide from where they stood to where they stand. */
export function Pieces(props: { pieces: Piece[]; marks: Map<string, Mark>; look: Look; glide: boolean; below: number; eye: string | null; scenery: unknown }) {
  const { invalidate, gl } = useThree();
  const capacity = Math.max(256, Math.ceil(props.pieces.length / 128) * 128);
  const field = useMemo(() => new PieceField(props.look, capacity, invalidate), [props.look, capacity, invalidate]);
  const shown = useRef(new Map<string, Piece>());
  const glide = useRef({ from: new Map<string, Piece>(), t: 1 });
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => () => field.dispose(), [field]);

  const moved = useRef(true);
  useEffect(() => {
    moved.current = true;
    // What was not there before glides from nowhere: a table that is opened stands at once.
    glide.current = { from: new Map(shown.current), t: props.glide && shown.current.size > 0 ? 0 : 1 };
    invalidate();
  }, [props.pieces, props.glide, invalidate]);

  useEffect(() => {
    moved.current = true;
    invalidate();
  }, [field, props.below, props.eye, props.scenery, invalidate]);

  useEffect(() => invalidate(), [props.marks, invalidate]);

  useFrame((_, delta) => {
    const { pieces, marks, below, eye } = latest.current;
    const going = glide.current;
    going.t = Math.min(1, going.t + Math.min(delta, 0.05) / SECONDS);
    const share = 1 - (1 - going.t) ** 3;
    const now = pieces.map((piece) => between(going.from.get(piece.id), piece, share));
    shown.current = new Map(now.map((p) => [p.id, p]));
    field.sync(now, marks, (piece) => piece.z >= below || piece.id === eye);
    // Shadows are drawn anew only while something moves; turning the camera leaves them as they are.
    if (moved.current || going.t < 1) gl.shadowMap.needsUpdate = true;
    moved.current = false;
    if (going.t < 1) invalidate();
  });

  return <primitive object={field.group} />;
}

function between(from: Piece | undefined, to: Piece, share: number): Piece {
  if (!from || share >= 1) return to;
  const piece = { ...to };
  for (const axis of AXES) {
    let gap = to[axis] - from[axis];
    if (axis === "facing") gap = ((((gap + 180) % 360) + 360) % 360) - 180;
    piece[axis] = from[axis] + gap * share;
  }
  return piece;
}
