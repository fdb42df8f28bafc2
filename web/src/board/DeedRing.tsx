import { Fragment } from "react";
import { Then } from "../panels/Then";
import { useCarried } from "../table/arranging";
import { useAhead } from "../table/ahead";
import { hand, useDraft } from "../table/draft";
import { deedsOf, unitFirst } from "../table/deeds";
import { question, say, useTable } from "../table/store";
import { useUi } from "../table/ui";
import { sentence, useText } from "../text";
import type { Piece } from "../protocol";
import { useCamera } from "./camera";
import { Label } from "./Labels";

/** The deeds of the chosen unit, beside it on the table. */
export function DeedRing({ pieces }: { pieces: Piece[] }) {
  const { tx } = useText();
  const ask = useTable(question);
  const selected = useUi((s) => s.selected);
  const focus = useDraft((s) => s.focus);
  const ahead = useAhead((s) => s.ahead);
  const azimuth = useCamera((s) => s.azimuth);
  const arranged = useCarried((s) => s.arranger !== null);
  if (arranged || !ask || ask.kind !== "choose" || !selected || !unitFirst(ask)) return null;
  const own = pieces.filter((p) => p.unit === selected);
  const deeds = deedsOf(ask).get(selected);
  if (!deeds || !own.length) return null;
  // At the unit's right as it is seen, whichever way the table lies.
  const turn = (azimuth * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), -Math.sin(turn)];
  const [mx, my] = [own.reduce((sum, p) => sum + p.x, 0) / own.length, own.reduce((sum, p) => sum + p.y, 0) / own.length];
  const out = Math.max(...own.map((p) => (p.x - mx) * cos + (p.y - my) * sin + Math.max(p.shape.width, p.shape.depth) / 2));
  const [x, y, z] = [mx + cos * out, my + sin * out, own[0]!.z];
  return (
    <Label className="deeds" at={[x, y, z]}>
      {deeds.slice(0, 8).map((index) => {
        const option = ask.options[index]!;
        const follows = ahead[option.id];
        return (
          <Fragment key={index}>
            <button className={index === focus ? "focused" : ""} onPointerEnter={() => hand.focus(index)} onClick={() => say.answer(option.id)} tabIndex={-1}>
              {sentence(tx(option.deed ?? option.label))}
              {follows && <i className="onward" aria-hidden="true">▸</i>}
            </button>
            {follows && index === focus && <Then option={option} follows={follows} />}
          </Fragment>
        );
      })}
    </Label>
  );
}
