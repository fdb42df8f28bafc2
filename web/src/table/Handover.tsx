import { useEffect, useState } from "react";
import { heldTables, hold, type Link, playedAway, seatHere, tablePath } from "../api";
import { go } from "../route";
import { sideWord, useText } from "../text";
import { useTable } from "./store";

/** Two people at one screen: the seat that is asked next, if this browser holds it and nobody else sits there. */
export function nextSeat(table: string, token: string): Link | null {
  const { view, showing } = useTable.getState();
  if (!view || showing || view.outcome || view.decisions.length) return null;
  for (const side of view.waiting) {
    const seat = view.table.seats.find((s) => s.side === side);
    const link = seatHere(table, token, side);
    if (seat?.kind === "person" && link && !seat.connected) return link;
  }
  return null;
}

/** Who is here so long while this screen plays another seat sits at a screen of their own, in milliseconds: the seat that
 *  this screen has just left is given up sooner. */
const SETTLED = 4000;

/** An invited friend, and whoever has come by a link, plays elsewhere, also when the connection is lost for a while. */
function useElsewhere(table: string, token: string): void {
  const side = useTable((s) => s.view?.side);
  const seats = useTable((s) => s.view?.table.seats);
  const there = (seats ?? []).filter((s) => s.side !== side && s.kind === "person" && s.connected).map((s) => s.side).join();
  const open = (seats ?? []).filter((s) => s.kind === "open").map((s) => s.side).join();
  useEffect(() => {
    if (open) playedAway(table, token, open.split(",").map(Number));
  }, [table, token, open]);
  useEffect(() => {
    if (!there) return;
    const timer = setTimeout(() => playedAway(table, token, there.split(",").map(Number)), SETTLED);
    return () => clearTimeout(timer);
  }, [table, token, there]);
}

/** The table is covered until the other player has the screen. */
export function Handover({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  useElsewhere(table, token);
  useTable((s) => s.view);
  useTable((s) => s.showing);
  const [looking, setLooking] = useState(-1);
  const answers = useTable((s) => s.view?.answers ?? 0);
  const next = nextSeat(table, token);
  if (!next || looking === answers) return null;
  function take() {
    const mine = heldTables().find((held) => held.table === table && held.token === token)!;
    const others = [...(mine.others ?? []).filter((other) => other.token !== next!.token), { side: mine.side ?? 0, token }];
    hold({ table, token: next!.token, side: next!.side, at: Date.now(), others, ...(mine.watch ? { watch: mine.watch } : {}) });
    go(tablePath(table, next!.token));
  }
  return (
    <div className="handover" role="dialog" aria-label={t("handover")}>
      <div className={`card side${next.side}`}>
        <i className={`swatch side${next.side}`} />
        <h2>{t("handoverTo", { who: t(sideWord(next.side)) })}</h2>
        <p>{t("handoverSays")}</p>
        <button className="brass" autoFocus onClick={take}>{t("handoverTake", { who: t(sideWord(next.side)) })}</button>
        <button className="plain" onClick={() => setLooking(answers)}>{t("handoverLook")}</button>
      </div>
    </div>
  );
}
