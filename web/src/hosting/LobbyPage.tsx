import { useEffect, useState } from "react";
import { ApiError, seatPath } from "../api";
import { go } from "../route";
import { Corner } from "../start/Corner";
import type { Brief } from "../server";
import { useText } from "../text";
import { hosting } from "./client";
import { Row } from "./Rows";
import "./hosting.css";
import { useWords } from "./words";

/** Tables with a seat for anybody. */
export default function LobbyPage() {
  const { tx } = useText();
  const w = useWords();
  const [tables, setTables] = useState<Brief[] | null>(null);
  const [problem, setProblem] = useState("");
  const failed = (error: unknown) => setProblem(w("failed") + (error instanceof ApiError ? tx(error.text) : String(error)));
  useEffect(() => {
    const load = () => void hosting.lobby().then(setTables, failed);
    load();
    const timer = setInterval(() => !document.hidden && load(), 10_000);
    return () => clearInterval(timer);
  }, []);
  const sit = (table: Brief) => void hosting.sit(table.table).then((made) => go(seatPath(made, made.links[0]!.side)), failed);
  return (
    <main className="start open hosting">
      <Corner><a className="quiet" href="/">{w("home")}</a><a className="quiet" href="/mine">{w("mine")}</a></Corner>
      <div className="leaf">
        <h2>{w("lobby")}</h2>
        <p>{w("lobbySays")}</p>
        {problem && <p className="problem" role="alert">{problem}</p>}
        {tables?.length === 0 && <p>{w("lobbyNone")}</p>}
        <ul className="held">
          {tables?.map((table) => (
            <Row key={table.table} table={table}>
              <button className="brass" onClick={() => sit(table)}>{w("sit")}</button>
            </Row>
          ))}
        </ul>
      </div>
    </main>
  );
}
