import { useEffect, useState } from "react";
import { useSettings } from "../settings";
import { useTable } from "../table/store";
import { ui } from "../table/ui";
import { sentence, useText } from "../text";

/** How to win, what scores, how long it lasts: behind the title, always one click away. */
export function GoalSheet() {
  const { t, tx } = useText();
  const picture = useTable((s) => s.view!.picture);
  return (
    <div className="goal">
      {picture.scenario && <h3>{tx(picture.scenario)}</h3>}
      <ul>
        {picture.goal.map((line, i) => (
          <li key={i}>{sentence(tx(line))}</li>
        ))}
      </ul>
      {picture.goal.length === 0 && <p>{t("goalUnknown")}</p>}
      <p className="help">{picture.track.map((stage) => sentence(tx(stage))).join(" ▸ ")}</p>
    </div>
  );
}

/** At the start the goal is told once, without standing in the way. */
export function GoalCard() {
  const { t, tx } = useText();
  const { goalCard, set } = useSettings();
  const picture = useTable((s) => s.view?.picture);
  const answers = useTable((s) => s.view?.answers ?? 0);
  const [shut, setShut] = useState(false);
  const [first, setFirst] = useState<number | null>(null);
  useEffect(() => {
    if (first === null && picture?.goal.length) setFirst(answers);
  }, [picture, answers, first]);
  if (!goalCard || shut || !picture?.goal.length || first === null || answers > first + 3) return null;
  return (
    <aside className="goalcard" aria-label={t("goal")}>
      <header className="row">
        <b>{t("goal")}{picture.scenario && <> · {tx(picture.scenario)}</>}</b>
        <button className="quiet" onClick={() => setShut(true)} aria-label={t("close")}>✕</button>
      </header>
      <ul>
        {picture.goal.map((line, i) => (
          <li key={i}>{sentence(tx(line))}</li>
        ))}
      </ul>
      <div className="row end">
        <button className="quiet" onClick={() => set({ goalCard: false })}>{t("goalNever")}</button>
        <button className="quiet" onClick={() => ui.set({ sheet: "goal" })}>{t("more")}</button>
      </div>
    </aside>
  );
}
