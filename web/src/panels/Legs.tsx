import { hand, useDraft } from "../table/draft";
import { byHand, draws, manoeuvres, ways, type MoveDraft, type Way } from "../table/moving";
import type { Leg } from "../protocol";
import { inches, sentence, useText } from "../text";

/** The way that is being drawn: every leg with its manner and its cost, and what is left of the allowance. */
export function Legs() {
  const { t } = useText();
  const { move, good, ruling, touched } = useDraft();
  if (!move || !touched || good === null) return null;
  const found = ways(move, ruling);
  const way = found.length === 1 ? found[0]! : [];
  if (way.length < 2) return null;
  const steps = way.slice(1);
  const spent = ruling?.cost ?? 0;
  const limit = move.form.limit ?? 0;
  return (
    <div className="legs" aria-label={t("legs")}>
      <ol>
        {steps.map((step, i) => (step.cost > 0 || step.how === "drop" || byHand(move)) && (
          <li key={i}>
            <Manner move={move} step={step} at={steps.slice(0, i).filter((s) => s.how !== "drop").length} last={i === steps.length - 1} />
            {manoeuvres(move) && move.legs[i] && <Stretch leg={move.legs[i]} at={i} />}
            <b>{inches(step.cost)}</b>
          </li>
        ))}
      </ol>
      <p>
        {t("legsTotal")} <b>{inches(spent)}</b>
        {limit > 0 && <> / {inches(limit)}</>}
        {limit > 0 && <i className="bar" style={{ width: `${Math.min(100, (100 * spent) / limit)}%` }} />}
        {byHand(move) && <button className="quiet" onClick={hand.dropLeg}>{t("dropLeg")} <kbd>⌫</kbd></button>}
      </p>
    </div>
  );
}

/** `at` is the leg's number in the answer. */
function Manner({ move, step, at, last }: { move: MoveDraft; step: Way[number]; at: number; last: boolean }) {
  const { t, tx } = useText();
  const { manners } = move.form;
  const label = manners.find((manner) => manner.id === step.how)?.label;
  const mine = at < move.via.length || (last && byHand(move));
  if (!draws(move) || !manners.length || !mine || step.how === "drop") return <span>{label ? sentence(tx(label)) : t(step.how === "drop" ? "drop" : "moveLeg")}</span>;
  return (
    <select aria-label={t("manner")} value={step.how} onChange={(e) => hand.how(e.target.value, Math.min(at, move.via.length))}>
      {manners.map((manner) => (
        <option key={manner.id} value={manner.id}>{sentence(tx(manner.label))}</option>
      ))}
    </select>
  );
}

function Stretch({ leg, at }: { leg: Leg; at: number }) {
  const { t } = useText();
  const step = leg.degrees !== undefined ? 5 : 0.5;
  return (
    <span>
      {leg.degrees !== undefined && `${leg.degrees > 0 ? "↷" : "↶"} ${Math.abs(leg.degrees)}°`}
      <button className="quiet" aria-label={t("shorter")} onClick={() => hand.stretch(at, -step)}>−</button>
      <button className="quiet" aria-label={t("longer")} onClick={() => hand.stretch(at, step)}>+</button>
    </span>
  );
}
