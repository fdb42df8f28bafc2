import { TableExtras } from "../hosting/TableExtras";
import { useEffect, useState } from "react";
import { ApiError, api, heldTables, hold, seatPath } from "../api";
import { Board } from "../board/Board";
import { Answers } from "../panels/Answers";
import { Armies } from "../panels/Army";
import { DiceTray } from "../panels/Dice";
import { GoalCard } from "../panels/Goal";
import { Guide } from "../panels/Guide";
import { Invite } from "../panels/Invite";
import "../panels/panels.css";
import { Question } from "../panels/Question";
import { Sheets } from "../panels/Sheets";
import { SideTabs } from "../panels/Side";
import { TopBar } from "../panels/TopBar";
import { go } from "../route";
import { sideWord, useText } from "../text";
import { Attention } from "./Attention";
import "./draft";
import { Handover } from "./Handover";
import { listen } from "./keys";
import { clearNotice, hurry, join, notify, useTable } from "./store";
import { useUi } from "./ui";

export default function TableScreen({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const status = useTable((s) => s.status);
  const ready = useTable((s) => s.view !== null);
  const { left, right } = useUi();

  useEffect(() => join(table, token), [table, token]);
  useEffect(listen, []);
  const side = useTable((s) => s.view?.side);
  useEffect(() => {
    if (side === undefined) return;
    const known = heldTables().find((h) => h.table === table && h.token === token);
    hold({ ...known, table, token, side, at: Date.now() });
  }, [side, table, token]);

  if (status === "none")
    return (
      <div className="loading">
        <p>{t("noTable")}</p>
        <a href="/">{t("home")}</a>
      </div>
    );
  if (!ready) return <div className="loading">{t("loading")}</div>;
  return (
    <div className={`screen ${left ? "" : "no-left"} ${right ? "" : "no-right"}`}>
      <TopBar />
      {left && <Armies />}
      <main className="middle" onClick={hurry}>
        <Board />
        <DiceTray />
        {status === "lost" && <p className="banner">{t("lost")}</p>}
        <Notice />
        <GoalCard />
        <Invite table={table} token={token} />
        <Handover table={table} token={token} />
        <Finished table={table} token={token} />
      </main>
      <Answers />
      {right && (
        <aside className="right">
          <Question />
          <Guide />
          <SideTabs />
        </aside>
      )}
      <Sheets table={table} token={token} />
      <TableExtras table={table} token={token} />
      <Attention />
    </div>
  );
}

function Notice() {
  const { tx } = useText();
  const notice = useTable((s) => s.notice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(clearNotice, 6000);
    return () => clearTimeout(timer);
  }, [notice]);
  return notice && <p className="banner" role="alert" onClick={clearNotice}>{tx(notice)}</p>;
}

/** After the end: keep the record, see it again, play again. */
function Finished({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const over = useTable((s) => !s.showing && !!s.view?.outcome);
  const { game, outcome, side, table: info } = useTable((s) => s.view!);
  const [seen, setSeen] = useState(false);
  if (!over || !outcome || seen) return null;
  /** What the server would not do is said where other news is. */
  const tried = (deed: () => Promise<void>) => () =>
    void deed().catch((error: unknown) => notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) }));
  async function save() {
    const url = URL.createObjectURL(new Blob([await api.record(table, token)], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${game}-${table.slice(0, 8)}.record` });
    link.click();
    URL.revokeObjectURL(url);
  }
  async function again() {
    go(`/replay/${table}#${token}`);
  }
  /** Against a computer as strong as this one, or an ordinary one after a battle with a friend. */
  async function anew() {
    const level = info.seats.find((seat) => seat.kind === "computer")?.level ?? "normal";
    go(seatPath(await api.create({ game, seats: [{ kind: "person" }, { kind: "computer", level }], guide: info.guide }), 0));
  }
  const { winner } = outcome;
  const word = winner === null ? t("draw") : side === null ? t("won", { who: t(sideWord(winner)) }) : t(winner === side ? "youWon" : "youLost");
  return (
    <div className="finished" role="dialog" aria-label={t("over")}>
      <button className="quiet shut" onClick={() => setSeen(true)} aria-label={t("close")}>✕</button>
      <h2 className={winner === null ? "" : `side${winner}`}>
        {winner !== null && <i className={`swatch side${winner}`} />}
        {word}
        <small>{outcome.score.join(" : ")}</small>
      </h2>
      {outcome.key === "outcome.resigned" && winner !== null && <p>{t("resigned", { who: t(sideWord(1 - winner)) })}</p>}
      <button className="brass" onClick={tried(anew)}>{t("playAgain")}</button>
      <button className="plain" onClick={tried(again)}>{t("watchAgain")}</button>
      <button className="plain" onClick={tried(save)}>{t("saveRecord")}</button>
    </div>
  );
}
