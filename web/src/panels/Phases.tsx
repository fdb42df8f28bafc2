import { letGo } from "../table/declining";
import { ask as askAgain, pass, passLike, usePassing } from "../table/passing";
import { question, say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { sentence, useText } from "../text";
import type { Decision } from "../protocol";

/** The units that a question asks about: those with a deed, or those that it lets choose between. */
function asked(ask: Decision | null, cards: Set<string>): string[] | null {
  if (ask?.kind !== "choose") return null;
  const own = [...new Set(ask.options.flatMap((option) => (option.unit && !option.vain ? [option.unit] : [])))];
  const refs = ask.options.flatMap((option) => (option.ends || option.vain ? [] : (option.refs ?? []).slice(0, 1)));
  const found = [...new Set(own.length ? own : refs)].filter((unit) => cards.has(unit));
  return found.length ? found : null;
}

/** The phases of the turn, which is played, who has still something to do in it, and the way to its end. */
export function Phases() {
  const { t, tx } = useText();
  const view = useTable((s) => s.view)!;
  const ask = useTable(question);
  const selected = useUi((s) => s.selected);
  const until = usePassing((s) => s.until);
  const { phases, cards } = view.picture;
  if (!phases.length || view.outcome) return null;
  const now = phases.find((phase) => phase.now)!;
  const end = ask?.kind === "choose" ? ask.options.find((option) => option.ends) : undefined;
  const units = (end && asked(ask, new Set(cards.map((card) => card.id)))) ?? now.units;
  const own = view.picture.turn !== null && view.picture.turn === view.side;
  const theirs = view.picture.turn !== null && !own;
  /** One after another, so that none is forgotten. */
  const next = () => ui.select(units[(units.indexOf(selected ?? "") + 1) % units.length] ?? null);
  return (
    <nav className="phases" aria-label={t("phases")}>
      <ol>
        {phases.map((phase, i) => (
          <li key={phase.id} aria-current={phase.now ? "step" : undefined}>
            {own && end && i > phases.indexOf(now)
              ? <button className="quiet" onClick={() => pass(phase.id)} title={t("toPhase", { phase: tx(phase.name) })} data-to-phase={phase.id}>{sentence(tx(phase.name))}</button>
              : sentence(tx(phase.name))}
          </li>
        ))}
      </ol>
      {units.length > 0 && <button className="quiet still" onClick={next} title={t("nextUnit")} data-still={units.length}>{t("stillToAct", { n: units.length })}</button>}
      {end && <button className="plain end" onClick={() => say.answer(end.id)} data-end-phase>{t("endPhase")}</button>}
      {until && <button className="plain end" aria-pressed="true" onClick={askAgain} data-passing>{t("passing")}</button>}
      {own && end && (!until || until.like !== undefined)
        ? <button className="plain end" onClick={() => pass(null)} data-end-turn>{t("endTurn")}</button>
        : !until && letGo(ask, theirs) && <button className="plain end" onClick={() => pass(null, now.id)} data-not-now>{t("notNow")}</button>}
      {!until && own && letGo(ask, false) && <button className="plain end" onClick={passLike} data-not-this-turn>{t("notThisTurn")}</button>}
      {!until && theirs && letGo(ask) && <button className="plain end" onClick={() => pass(null)} data-let-go>{t("letGo")}</button>}
    </nav>
  );
}
