import { useEffect, useState } from "react";
import { useSettings } from "../settings";
import { isSetUp, setUpForMe } from "../table/setup";
import { question, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { useText, type Word } from "../text";

const LEAVES: Word[] = ["guide1", "guide2", "guide3", "guide4"];

/** For a first battle: what this question is about, and beside it four leaves on how the table works. It can be closed for good, and called again. */
export function Guide() {
  const { t, tx } = useText();
  const { guideClosed, set } = useSettings();
  const wanted = useTable((s) => !!s.view?.table.guide && !s.view.outcome);
  const ask = useTable(question);
  const settingUp = useTable((s) => isSetUp(question(s)));
  const [leaf, setLeaf] = useState(-1);
  const about = ask?.guide;
  useEffect(() => setLeaf(-1), [about?.key]);
  const opened = useUi((s) => s.guide);
  if ((!wanted || guideClosed) && !opened) return null;
  const shown = leaf < 0 && !about ? 0 : leaf;
  return (
    <aside className="guide" aria-label={t("guide")}>
      <header className="row">
        <b>{t("guide")}</b>
        <button className="quiet" onClick={() => (set({ guideClosed: true }), ui.set({ guide: false }))} aria-label={t("close")}>✕</button>
      </header>
      <p>{shown < 0 ? tx(about) : t(LEAVES[shown]!)}</p>
      <div className="row">
        {settingUp && <button className="brass" onClick={setUpForMe} data-set-up>{t("setUpForMe")}</button>}
        <button className="plain" onClick={() => setLeaf((shown + 1) % LEAVES.length)}>{t(shown < 0 ? "guideTable" : "guideNext")}</button>
      </div>
    </aside>
  );
}
