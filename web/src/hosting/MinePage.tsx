import { useEffect, useState } from "react";
import { ApiError, heldTables, tablePath } from "../api";
import { Corner } from "../start/Corner";
import type { HostInfo, Me } from "../server";
import { useText } from "../text";
import { hosting, keepKey, myKey, newKey } from "./client";
import { NoticesForm } from "./NoticesForm";
import { Row } from "./Rows";
import "./hosting.css";
import { useWords } from "./words";

/** The tables of one person, mine to move first, on every device that has the private link or the passphrase. */
export default function MinePage({ token }: { token: string }) {
  const { tx } = useText();
  const w = useWords();
  const [key, setKey] = useState(() => token || myKey());
  const [me, setMe] = useState<Me | null>(null);
  const [host, setHost] = useState<HostInfo | null>(null);
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState("");
  const failed = (error: unknown) => setProblem(w("failed") + (error instanceof ApiError ? tx(error.text) : String(error)));

  const load = () => (key ? hosting.me(key).then(setMe, failed) : Promise.resolve());
  useEffect(() => {
    if (token) {
      keepKey(token);
      history.replaceState(null, "", "/mine"); // it need not stand in the address for everybody to see
    }
    hosting.host().then(setHost, () => null);
  }, []);
  useEffect(() => {
    setProblem("");
    void load();
    const timer = setInterval(() => !document.hidden && void load(), 20_000);
    return () => clearInterval(timer);
  }, [key]);

  function enter(next: string) {
    keepKey(next);
    setMe(null);
    setKey(next);
  }
  async function keepAll() {
    for (const { table, token } of heldTables()) await hosting.hold(key, table, token).catch(() => null);
    await load();
  }

  return (
    <main className="start open hosting">
      <Corner><a className="quiet" href="/">{w("home")}</a><a className="quiet" href="/lobby">{w("lobby")}</a></Corner>
      <div className="leaf">
        <h2>{w("mine")}</h2>
        {problem && <p className="problem" role="alert">{problem}</p>}
        {!key && (
          <form onSubmit={(e) => (e.preventDefault(), enter(words.trim()))}>
            <p>{w("mineSays")}</p>
            <label>
              {w("passphrase")}
              <input type="password" minLength={12} maxLength={200} required value={words} onChange={(e) => setWords(e.target.value)} autoComplete="current-password" />
            </label>
            <div className="row end">
              <button type="button" className="plain" onClick={() => enter(newKey())}>{w("newKey")}</button>
              <button className="brass">{w("enter")}</button>
            </div>
          </form>
        )}
        {key && me && (
          <>
            {me.tables.length === 0 && <p>{w("noneYet")}</p>}
            <ul className="held">
              {me.tables.map((table) => (
                <Row key={table.table + table.side} table={table} side={table.side} href={table.over ? `/replay/${table.table}#${table.token}` : tablePath(table.table, table.token)}>
                  <button className="quiet" onClick={() => void hosting.drop(key, table.table).then(load, failed)} title={w("forget")} aria-label={w("forget")}>✕</button>
                </Row>
              ))}
            </ul>
            <div className="row end">
              <button className="quiet" onClick={() => enter("")}>{w("leave")}</button>
              {heldTables().length > 0 && <button className="plain" onClick={() => void keepAll()}>{w("keepHere")}</button>}
            </div>
            <p className="secret">
              {w("privateLink")}: <code>{`${location.origin}/mine#${encodeURIComponent(key)}`}</code>{" "}
              <button className="quiet" onClick={() => void navigator.clipboard.writeText(`${location.origin}/mine#${encodeURIComponent(key)}`)}>{w("copy")}</button>
            </p>
            <NoticesForm me={me} host={host} myself={key} onSaved={load} />
          </>
        )}
      </div>
    </main>
  );
}
