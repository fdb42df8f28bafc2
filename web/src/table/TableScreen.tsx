import { TableExtras } from "../hosting/TableExtras";
import { useEffect } from "react";
import { heldTables, hold } from "../api";
import { Board } from "../board/Board";
import { Answers } from "../panels/Answers";
import { Armies } from "../panels/Army";
import { DiceTray } from "../panels/Dice";
import { Finished } from "../panels/Finished";
import { GoalCard } from "../panels/Goal";
import { Guide } from "../panels/Guide";
import { Invite } from "../panels/Invite";
import "../panels/panels.css";
import { Phases } from "../panels/Phases";
import { Question } from "../panels/Question";
import { Sheets } from "../panels/Sheets";
import { SideTabs } from "../panels/Side";
import { TopBar } from "../panels/TopBar";
import { useText } from "../text";
import { Attention } from "./Attention";
import "./alone";
import "./draft";
import { Handover } from "./Handover";
import { listen } from "./keys";
import { clearNotice, hurry, join, useTable } from "./store";
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
      {left && <Armies token={token} />}
      <main className="middle" onClick={hurry}>
        <Board />
        <DiceTray />
        {status === "lost" && <p className="banner">{t("lost")}</p>}
        <Notice />
        <GoalCard />
        <Invite table={table} token={token} />
        <Handover table={table} token={token} />
        <TableExtras table={table} token={token} />
        <Finished table={table} token={token} />
      </main>
      <div className="below">
        <Phases />
        <Answers />
      </div>
      {right && (
        <aside className="right">
          <Question />
          <Guide />
          <SideTabs />
        </aside>
      )}
      <Sheets table={table} token={token} />
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
