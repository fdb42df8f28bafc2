import { seatHere } from "../api";
import type { Card, Seat } from "../protocol";
import { acts, question, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { sentence, sideWord, statuses, useText } from "../text";
import { Icon } from "./Icon";
import { Pools } from "./Pools";
import { UnitCard } from "./UnitCard";

/** Both armies; `token` is this screen's own seat, if it has one. */
export function Armies({ token = "" }: { token?: string }) {
  const { t, tx } = useText();
  const view = useTable((s) => s.view)!;
  const own = view.side ?? 0;
  const selected = useUi((s) => s.selected);
  const card = view.picture.cards.find((c) => c.id === selected);
  return (
    <aside className="armies">
      {[own, 1 - own].map((side) => {
        const seat = view.table.seats.find((s) => s.side === side);
        const cards = view.picture.cards.filter((c) => c.side === side);
        return (
          <section key={side}>
            <h3>
              <i className={`swatch side${side}`} />
              <span>{view.side === null ? t(sideWord(side)) : t(side === own ? "yourArmy" : "theirArmy")}</span>
              {/* An army without a name of its own is called by its game, which stands above already. */}
              <small>{tx(seat?.army) === tx(view.table.names) ? "" : tx(seat?.army)}</small>
            </h3>
            {seat && <Presence seat={seat} here={seatHere(view.table.id, token, side) !== undefined} />}
            <Pools side={side} />
            <ul>
              {[...cards].sort((a, b) => Number(a.dead) - Number(b.dead)).map((c) => (
                <Chip key={c.id} card={c} on={c.id === selected} />
              ))}
            </ul>
          </section>
        );
      })}
      {card && <UnitCard card={card} onClose={() => ui.select(null)} />}
    </aside>
  );
}

/** Who sits there, and whether they are at the table: who shares this screen always is. */
function Presence({ seat, here }: { seat: Seat; here: boolean }) {
  const { t } = useText();
  const who = seat.kind === "computer" ? `${t("computer")}${seat.level ? ` · ${t(seat.level)}` : ""}` : seat.kind === "open" ? t("openSeat") : seat.name;
  const away = seat.kind === "person" && !seat.connected;
  if (!who && !away) return null;
  return <p className="presence">{[who, away && t(here ? "sameScreen" : "offline")].filter(Boolean).join(" · ")}</p>;
}

function Chip({ card, on }: { card: Card; on: boolean }) {
  const { t, tx } = useText();
  const acting = useTable((s) => acts(card, question(s)));
  const state = card.dead ? "dead" : card.away ? "away" : card.done && !acting ? "done" : "";
  return (
    <li>
      <button
        className={`chip side${card.side} ${state} ${on ? "on" : ""}`}
        aria-pressed={on}
        onClick={() => ui.select(on ? null : card.id)}
        onPointerEnter={() => ui.hover(card.pieces[0] ?? card.id)}
        onPointerLeave={() => ui.hover(null)}
      >
        <Icon name={card.icon} />
        <span className="name">{tx(card.name)}</span>
        <Wounds card={card} />
        <span className="tags">
          {state && <i className="state">{t(state)}</i>}
          {statuses(card).map((tag, i) => (
            <i key={i}>{sentence(tx(tag))}</i>
          ))}
        </span>
      </button>
    </li>
  );
}

function Wounds({ card }: { card: Card }) {
  const { t } = useText();
  if (card.wounds === null || card.wounds_max === null || card.dead) return null;
  const { wounds, wounds_max: most } = card;
  return (
    <span className="wounds" title={t("roundPips", { n: wounds, max: most })}>
      <i style={{ width: `${(100 * wounds) / most}%` }} />
      <b>{wounds}/{most}</b>
    </span>
  );
}
