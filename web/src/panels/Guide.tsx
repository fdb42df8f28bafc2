import { useEffect, useState } from "react";
import { api } from "../api";
import type { Try } from "../protocol";
import { useSettings } from "../settings";
import { isSetUp, setUpForMe, useSetUp } from "../table/setup";
import { question, useTable } from "../table/store";
import { isDone, useTried } from "../table/tries";
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
  const left = useSetUp((s) => s.left);
  const [leaf, setLeaf] = useState(-1);
  const about = ask?.guide;
  useEffect(() => setLeaf(-1), [about?.key]);
  const opened = useUi((s) => s.guide);
  const game = useTable((s) => s.view?.game ?? "");
  const table = useTable((s) => s.view?.table.id ?? "");
  const [tries, setTries] = useState<Try[]>([]);
  const done = useTried((s) => s.done);
  useEffect(() => void (game && (wanted || opened) && api.tries(game).then(setTries, () => setTries([]))), [game, wanted, opened]);
  if ((!wanted || guideClosed) && !opened) return null;
  const todo = tries.filter((one) => !isDone(table, one, done));
  const shown = leaf < 0 && !about ? 0 : leaf;
  return (
    <aside className="guide" aria-label={t("guide")}>
      <header className="row">
        <b>{t("guide")}</b>
        <button className="quiet" onClick={() => (set({ guideClosed: true }), ui.set({ guide: false }))} aria-label={t("close")}>✕</button>
      </header>
      <p>{shown < 0 ? tx(about) : t(LEAVES[shown]!)}</p>
      {!settingUp && tries.length > 0 && todo.length > 0 && (
        <ol className="tries" aria-label={t("tryThese")}>
          {tries.map((one, i) => (
            <li key={i} className={isDone(table, one, done) ? "done" : one === todo[0] ? "now" : ""}>{tx(one.text)}</li>
          ))}
        </ol>
      )}
      <div className="row">
        {settingUp && <button className="brass" disabled={left} onClick={setUpForMe} data-set-up>{t(left ? "isBeingSetUp" : "setUpForMe")}</button>}
        <button className="plain" onClick={() => setLeaf((shown + 1) % LEAVES.length)}>{t(shown < 0 ? "guideTable" : "guideNext")}</button>
      </div>
    </aside>
  );
}
