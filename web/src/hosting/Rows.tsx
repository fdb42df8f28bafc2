import type { Brief } from "../server";
import { sideWord, useText } from "../text";
import { useWords } from "./words";

/** One table of a list: the game, who sits there, how it stands. */
export function Row({ table, side, href, children }: { table: Brief; side?: number | null; href?: string; children?: React.ReactNode }) {
  const { tx, t } = useText();
  const w = useWords();
  const who = table.seats.map((seat) => seat.name || tx(seat.army) || t(sideWord(seat.side))).join(" – ");
  const mine = side != null && table.waiting.includes(side);
  const standing = table.over ? w("over") : table.stopped ? w("stopped") : !table.started ? w("waitingFor") : side === undefined ? "" : side === null ? w("watching") : w(mine ? "toMove" : "theirMove");
  const body = (
    <>
      <b>{tx(table.names)}{table.scenario && ` · ${tx(table.scenario)}`}</b>
      <span>
        {who} · {w("answers", { n: table.answers })}
        {table.track.length > 0 && ` · ${table.track.map(tx).join(" ▸ ")}`}
      </span>
    </>
  );
  return (
    <li className={mine && !table.over ? "turn" : ""}>
      {href ? <a href={href}>{body}</a> : <div className="entry">{body}</div>}
      {standing && <em>{standing}</em>}
      {children}
    </li>
  );
}
