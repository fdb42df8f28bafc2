import { useState } from "react";
import { heldTables, tablePath } from "../api";
import { useSettings } from "../settings";
import { say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { sideWord, useText } from "../text";

/** Settings, links to give away, keys, and what this is: one sheet over the table at a time. */
export function Sheets({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const sheet = useUi((s) => s.sheet);
  if (!sheet) return null;
  return (
    <div className="veil" onClick={(e) => e.target === e.currentTarget && ui.set({ sheet: null })}>
      <div className="sheet" role="dialog" aria-modal="true" aria-label={t(sheet)}>
        <header className="row">
          <h2>{t(sheet)}</h2>
          <button className="quiet" autoFocus onClick={() => ui.set({ sheet: null })} aria-label={t("close")}>✕</button>
        </header>
        {sheet === "settings" && <SettingsSheet />}
        {sheet === "share" && <ShareSheet table={table} token={token} />}
        {sheet === "keys" && <KeysSheet />}
        {sheet === "about" && <AboutSheet />}
      </div>
    </div>
  );
}

function KeysSheet() {
  const { t } = useText();
  return <ul className="keys">{t("keysList").split(" · ").map((line) => <li key={line}>{line}</li>)}</ul>;
}

function SettingsSheet() {
  const { t } = useText();
  const settings = useSettings();
  const side = useTable((s) => s.view?.side ?? null);
  const seat = useTable((s) => s.view?.table.seats.find((x) => x.side === s.view?.side));
  const [name, setName] = useState(seat?.name ?? "");
  const flag = (key: "animate" | "names" | "shadows", word: "animation" | "showNames" | "shadows") => (
    <label className="check">
      <input type="checkbox" checked={settings[key]} onChange={(e) => settings.set({ [key]: e.target.checked })} />
      {t(word)}
    </label>
  );
  return (
    <div>
      {flag("animate", "animation")}
      {flag("names", "showNames")}
      {flag("shadows", "shadows")}
      <label className="check">
        <input type="checkbox" checked={settings.theme === "dark"} onChange={(e) => settings.set({ theme: e.target.checked ? "dark" : "light" })} />
        {t("dark")}
      </label>
      {side !== null && (
        <form className="row" onSubmit={(e) => (e.preventDefault(), say.name(name.trim()), ui.set({ sheet: null }))}>
          <input value={name} maxLength={24} onChange={(e) => setName(e.target.value)} placeholder={t("name")} aria-label={t("name")} />
          <button className="plain">{t("confirm")}</button>
        </form>
      )}
      {side !== null && (
        <div className="row end">
          <button className="plain" onClick={() => (say.takeback(), ui.set({ sheet: null }))}>{t("takeback")}</button>
          <button className="plain danger" onClick={() => confirm(t("resignSure")) && (say.resign(), ui.set({ sheet: null }))}>{t("resign")}</button>
        </div>
      )}
    </div>
  );
}

function ShareSheet({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const held = heldTables().find((h) => h.table === table && h.token === token);
  return (
    <div className="share">
      {held?.others?.map((link) => (
        <Link key={link.side} label={`${t("shareSeat")} (${t(sideWord(link.side))})`} path={tablePath(table, link.token)} />
      ))}
      {held?.watch && <Link label={t("shareWatch")} path={tablePath(table, held.watch)} />}
      {!held?.watch && !held?.others?.length && <p>–</p>}
    </div>
  );
}

function Link({ label, path }: { label: string; path: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const url = location.origin + path;
  return (
    <label>
      {label}
      <span className="row">
        <input readOnly value={url} onFocus={(e) => e.target.select()} />
        <button className="plain" onClick={() => void navigator.clipboard?.writeText(url).then(() => setCopied(true))}>{t(copied ? "copied" : "copy")}</button>
      </span>
    </label>
  );
}

function AboutSheet() {
  const { t } = useText();
  const fairness = useTable((s) => s.view?.table.fairness);
  return (
    <div>
      <p>{t("aboutSays")}</p>
      <p>{t("credits")}</p>
      {fairness && (
        <p className="id">
          {t("fairness")}: <code>{fairness.commitment}</code>
          {fairness.secret && <> · {t("secret")}: <code>{fairness.secret}</code></>}
        </p>
      )}
    </div>
  );
}
