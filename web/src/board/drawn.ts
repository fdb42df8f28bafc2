/** The pieces as they are drawn: the picture, with what is being moved where the hand holds it. */
import { useMemo } from "react";
import type { Decision, Picture, Piece } from "../protocol";
import { useCarried } from "../table/arranging";
import { useDraft } from "../table/draft";
import { full, isMoving, newPieces, standsBy, ways, type Placement, type Way } from "../table/moving";

export interface Drawn {
  pieces: Piece[];
  /** The pieces a hand may take hold of now. */
  movers: Set<string>;
  ghosts: { piece: Piece; spot: Placement; wish: boolean }[];
  ways: Way[];
}

const nothing = (picture: Picture | null): Drawn => ({ pieces: picture?.pieces ?? [], movers: new Set(), ghosts: [], ways: [] });

/** A choice that says where pieces would stand shows them standing there. */
export function standing(picture: Picture, decision: Decision, focus: number): Drawn | null {
  const stands = decision.kind === "choose" ? decision.options[focus]?.stands : undefined;
  if (!stands) return null;
  const own = picture.pieces.filter((p) => stands[p.id]);
  const there = (p: Piece): Piece => ({ ...p, ...full(stands[p.id], p) });
  return { ...nothing(picture), pieces: picture.pieces.map((p) => (stands[p.id] ? there(p) : p)), ghosts: own.map((piece) => ({ piece, spot: piece, wish: false })) };
}

/** With what a hand puts elsewhere where the hand holds it. */
export function useDrawn(picture: Picture | null): Drawn {
  const drawn = useAnswered(picture);
  const { ids, by } = useCarried();
  return useMemo(() => (ids.size ? { ...drawn, pieces: drawn.pieces.map((p) => (ids.has(p.id) ? { ...p, x: p.x + by[0], y: p.y + by[1] } : p)) } : drawn), [drawn, ids, by]);
}

function useAnswered(picture: Picture | null): Drawn {
  const { decision, focus, move, ruling, good, touched, angle } = useDraft();
  return useMemo(() => {
    if (!picture || !decision) return nothing(picture);
    if (decision.kind === "face") {
      const turned = (p: Piece) => p.id === decision.about || p.unit === decision.about;
      return { ...nothing(picture), pieces: picture.pieces.map((p) => (turned(p) ? { ...p, facing: angle } : p)) };
    }
    if (!isMoving(decision) || !move) return standing(picture, decision, focus) ?? nothing(picture);
    const refused = touched && ruling !== null && !ruling.legal;
    const spots = refused ? (good === null ? move.start : standsBy(move, ruling)) : move.spots;
    const fresh = newPieces(decision, move, picture);
    const pieces = [...picture.pieces, ...fresh].map((p) => (spots[p.id] ? { ...p, ...spots[p.id] } : p));
    const movers = new Set(move.pieces);
    const ghosts: Drawn["ghosts"] = [];
    for (const piece of pieces)
      if (movers.has(piece.id) && touched) {
        if (decision.kind === "move") ghosts.push({ piece, spot: move.start[piece.id]!, wish: false });
        if (refused) ghosts.push({ piece, spot: move.spots[piece.id]!, wish: true });
      }
    return { pieces, movers, ghosts, ways: touched && good !== null ? ways(move, ruling) : [] };
  }, [picture, decision, focus, move, ruling, good, touched, angle]);
}
