import { useState } from "react";
import { useSettings } from "../settings";
import { question, useTable } from "../table/store";
import { useText, type Word } from "../text";

const LEAVES: Word[] = ["guide1", "guide2", "guide3", "guide4"];

/** Four short leaves for a first battle; the one that fits the question comes up by itself. It can be closed for good. */
export function Guide() {
  const { t } = useText();
  const { guideClosed, set } = useSettings();
  const wanted = useTable((s) => s.view?.table.guide ?? false);
  const kind = useTable((s) => question(s)?.kind);
  const [turned, setTurned] = useState<number | null>(null);
  if (!wanted || guideClosed) return null;
  const fitting = kind === "move" || kind === "place" ? 1 : 0;
  const leaf = turned ?? fitting;
  return (
    <aside className="guide" aria-label={t("guide")}>
      <header className="row">
        <b>{t("guide")} {leaf + 1}/{LEAVES.length}</b>
        <button className="quiet" onClick={() => set({ guideClosed: true })} aria-label={t("close")}>✕</button>
      </header>
      <p>{t(LEAVES[leaf]!)}</p>
      <button className="plain" onClick={() => setTurned((leaf + 1) % LEAVES.length)}>{t("guideNext")}</button>
    </aside>
  );
}
