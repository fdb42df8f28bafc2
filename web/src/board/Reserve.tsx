import type { Card } from "../protocol";
import { Icon } from "../panels/Icon";
import { hand, useDraft } from "../table/draft";
import { question, say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { useText } from "../text";

/** Units that are not on the table yet wait in a tray at their side's edge of it; those that may be chosen now are brass. */
export function Reserve() {
  const { t } = useText();
  const view = useTable((s) => s.view)!;
  const own = view.side ?? 0;
  return [own, 1 - own].map((side) => {
    const cards = view.picture.cards.filter((c) => c.side === side && c.away && !c.dead);
    if (!cards.length) return null;
    return (
      <div key={side} className={`reserve side${side} ${side === own ? "own" : "theirs"}`} role="group" aria-label={t("reserve")}>
        <small>{t("reserve")}</small>
        {cards.map((card) => (
          <Waiting key={card.id} card={card} />
        ))}
      </div>
    );
  });
}

function Waiting({ card }: { card: Card }) {
  const { tx } = useText();
  const ask = useTable(question);
  const focus = useDraft((s) => s.focus);
  const picked = useDraft((s) => s.picked);
  const selected = useUi((s) => s.selected === card.id);
  const ids = new Set([card.id, ...card.pieces]);
  const at = ask && (ask.kind === "choose" || ask.kind === "choose-several") ? ask.options.findIndex((o) => ids.has(o.id) || o.refs?.some((r) => ids.has(r))) : -1;
  const option = ask && "options" in ask ? ask.options[at] : undefined;
  function choose() {
    ui.select(selected ? null : card.id);
    if (!option) return;
    if (ask!.kind === "choose-several") hand.toggle(option.id);
    else if (focus === at) say.answer(option.id);
    else hand.focus(at);
  }
  const state = [option && "may", option && picked.includes(option.id) && "picked", option && focus === at && "focused", selected && "on"].filter(Boolean).join(" ");
  return (
    <button className={`waiting ${state}`} title={tx(card.name)} aria-label={tx(card.name)} aria-pressed={selected} onClick={choose}>
      <Icon name={card.icon} />
    </button>
  );
}
