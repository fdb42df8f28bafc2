import { useEffect, useState } from "react";
import { ApiError } from "../api";
import { Corner } from "../start/Corner";
import type { Brief } from "../server";
import { useText } from "../text";
import { hosting } from "./client";
import { Row } from "./Rows";
import "./hosting.css";
import { useWords } from "./words";

/** All tables of this server, for its host. */
export default function AdminPage({ token }: { token: string }) {
  const { tx } = useText();
  const w = useWords();
  const [tables, setTables] = useState<Brief[]>([]);
  const [problem, setProblem] = useState("");
  const failed = (error: unknown) => setProblem(w("failed") + (error instanceof ApiError ? tx(error.text) : String(error)));
  const load = () => hosting.tables(token).then(setTables, failed);
  useEffect(() => void load(), []);
  const remove = (table: Brief) => confirm(w("removeSure")) && void hosting.remove(token, table.table).then(load, failed);
  return (
    <main className="start open hosting">
      <Corner><a className="quiet" href="/">{w("home")}</a></Corner>
      <div className="leaf">
        <h2>{w("host")} · {tables.length}</h2>
        {problem && <p className="problem" role="alert">{problem}</p>}
        <ul className="held">
          {tables.map((table) => (
            <Row key={table.table} table={table}>
              <code>{table.table}</code>
              <button className="quiet" onClick={() => remove(table)}>{w("remove")}</button>
            </Row>
          ))}
        </ul>
      </div>
    </main>
  );
}
