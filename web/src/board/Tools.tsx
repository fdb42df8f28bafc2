import type { Piece } from "../protocol";
import { useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { useText } from "../text";
import { fit, look, useCamera, zoom, type Mode } from "./camera";

const MODES: Mode[] = ["map", "orbit", "eye"];

/** The instruments at the table's edge: view, zoom, floors, tape. */
export function Tools({ pieces }: { pieces: Piece[] }) {
  const { t } = useText();
  const { mode, floors, set } = useCamera();
  const { measuring, selected } = useUi();
  const picture = useTable((s) => s.view?.picture);
  const heights = [...new Set(picture?.terrain.flatMap((p) => p.blocks.filter((b) => b.z > 0.5 && b.kind !== "ladder").map((b) => b.z)) ?? [])].sort((a, b) => a - b);
  const eye = pieces.find((p) => p.unit === selected) ?? pieces[0] ?? null;
  return (
    <div className="tools" role="toolbar">
      <div className="seg">
        {MODES.map((m) => (
          <button key={m} aria-pressed={mode === m} onClick={() => picture && look(m, picture, eye)} title={`${t(m)} (V)`}>{t(m)}</button>
        ))}
      </div>
      <div className="seg zooms">
        <button onClick={() => zoom(1.25)} aria-label={t("zoomOut")} title={t("zoomOut")}>−</button>
        <button onClick={() => zoom(0.8)} aria-label={t("zoomIn")} title={t("zoomIn")}>+</button>
        <button onClick={() => picture && set(fit(picture.width, picture.depth, mode))} title={t("fit")} aria-label={t("fit")}>{t("fit")}</button>
      </div>
      {heights.length > 0 && (
        <label className="seg floors">
          {t("floors")}
          <select value={String(floors)} onChange={(e) => set({ floors: Number(e.target.value) })}>
            <option value="Infinity">{t("allFloors")}</option>
            {heights.map((h) => (
              <option key={h} value={h}>{t("upTo", { n: Number(h.toFixed(1)) })}</option>
            ))}
          </select>
        </label>
      )}
      <div className="seg">
        <button aria-pressed={measuring} onClick={() => ui.measure(!measuring)} title={`${t("measure")} (M)`}>{t("measure")}</button>
      </div>
      {measuring && <span className="tip">{t("measureHelp")}</span>}
    </div>
  );
}
