import { useEffect, useRef, useState } from "react";
import { type Held, api, forget, heldTables, hold, tablePath } from "../api";
import type { Summary } from "../protocol";
import { go } from "../route";
import { sideWord, useText } from "../text";
import { keepRecord } from "../replay/kept";

export function OpenTable({ onBack }: { onBack: () => void }) {
  const { t, tx } = useText();
  const [held, setHeld] = useState<Held[]>(heldTables);
  const [known, setKnown] = useState<Record<string, Summary | null>>({});
  const [link, setLink] = useState("");
  const file = useRef<HTMLInputElement>(null);

  useEffect(() => {
    for (const { table } of held.slice(0, 12))
      api.summary(table).then(
        (summary) => setKnown((now) => ({ ...now, [table]: summary })),
        () => setKnown((now) => ({ ...now, [table]: null })),
      );
  }, []);

  function openLink(event: React.FormEvent) {
    event.preventDefault();
    const match = link.match(/\/table\/([^#/]+)#(.+)$/);
    if (!match) return;
    hold({ table: match[1]!, token: match[2]!.trim(), side: null, at: Date.now() });
    go(tablePath(match[1]!, match[2]!.trim()));
  }

  async function openRecord(chosen: File | undefined) {
    if (!chosen) return;
    keepRecord(await chosen.text());
    go("/replay");
  }

  return (
    <div className="leaf">
      <h2>{t("goOn")}</h2>
      {held.length === 0 && <p>{t("noTables")}</p>}
      <ul className="held">
        {held.slice(0, 12).map((entry) => {
          const summary = known[entry.table];
          return (
            <li key={entry.table + entry.token}>
              <a href={tablePath(entry.table, entry.token)} onClick={(e) => (e.preventDefault(), go(tablePath(entry.table, entry.token)))}>
                <b>{summary ? tx(summary.names) : entry.table.slice(0, 8)}</b>
                <span>
                  {entry.side === null ? t("watching") : t(sideWord(entry.side))}
                  {summary && ` · ${summary.track.map(tx).join(" ▸ ") || t("answersGiven", { n: summary.answers })}`}
                  {summary?.over && ` · ${t("over")}`}
                  {summary === null && ` · ${t("noTable")}`}
                </span>
              </a>
              <button className="quiet" onClick={() => (forget(entry), setHeld(heldTables()))}>{t("forget")}</button>
            </li>
          );
        })}
      </ul>
      <form className="row" onSubmit={openLink}>
        <input aria-label={t("pasteLink")} placeholder={t("pasteLink")} value={link} onChange={(e) => setLink(e.target.value)} />
        <button className="plain">{t("openLink")}</button>
      </form>
      <div className="row end">
        <button className="plain" onClick={onBack}>{t("back")}</button>
        <input ref={file} type="file" hidden onChange={(e) => void openRecord(e.target.files?.[0])} />
        <button className="brass" onClick={() => file.current?.click()}>{t("loadRecord")}</button>
      </div>
    </div>
  );
}
