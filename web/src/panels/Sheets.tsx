import { useState } from "react";
import { heldTables, tablePath } from "../api";
import { useSettings } from "../settings";
import { say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { askLeave } from "../table/notices";
import { askFor } from "../table/usual";
import { sentence, sideWord, useText } from "../text";
import { GoalSheet } from "./Goal";
import { Link } from "./Invite";

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
        {sheet === "goal" && <GoalSheet />}
      </div>
    </div>
  );
}

function KeysSheet() {
  const { t } = useText();
  return <ul className="keys">{t("keysList").split(" · ").map((line) => <li key={line}>{line}</li>)}</ul>;
}

/** What a player no longer wants to be asked, each to be asked again. */
function Standing() {
  const { t, tx } = useText();
  const asks = useSettings((s) => s.asks);
  const view = useTable((s) => s.view);
  const here = Object.entries(asks).filter(([key, wish]) => !wish.asked && (key.startsWith(`${view?.game} `) || key.startsWith(`${view?.table.id} `)));
  if (!here.length) return null;
  return (
    <section>
      <h3>{t("standing")}</h3>
      <ul>
        {here.map(([key, { prompt }]) => (
          <li key={key}>{sentence(tx(prompt))} <button className="quiet" onClick={() => askFor(key, prompt, true)}>{t("askMe")}</button></li>
        ))}
      </ul>
    </section>
  );
}

function SettingsSheet() {
  const { t } = useText();
  const settings = useSettings();
  const side = useTable((s) => s.view?.side ?? null);
  const seat = useTable((s) => s.view?.table.seats.find((x) => x.side === s.view?.side));
  const [name, setName] = useState(seat?.name ?? "");
  const flag = (key: "animate" | "names" | "shadows" | "fine" | "sound" | "askAlways" | "dropMoves", word: "animation" | "showNames" | "shadows" | "fine" | "sound" | "askAlways" | "dropMoves") => (
    <label className="check">
      <input type="checkbox" checked={settings[key]} onChange={(e) => settings.set({ [key]: e.target.checked })} />
      {t(word)}
    </label>
  );
  return (
    <div>
      {flag("animate", "animation")}
      {settings.animate && (
        <label className="check">
          {t("pace")}
          <select value={settings.pace} onChange={(e) => settings.set({ pace: e.target.value as typeof settings.pace })}>
            {(["calm", "normal", "quick"] as const).map((pace) => (
              <option key={pace} value={pace}>{t(`pace_${pace}`)}</option>
            ))}
          </select>
        </label>
      )}
      {flag("names", "showNames")}
      {flag("shadows", "shadows")}
      {flag("fine", "fine")}
      {flag("sound", "sound")}
      {flag("askAlways", "askAlways")}
      {flag("dropMoves", "dropMoves")}
      <Standing />
      {"Notification" in window && (
        <label className="check">
          <input type="checkbox" checked={settings.notices} onChange={(e) => (e.target.checked ? void askLeave() : settings.set({ notices: false }))} />
          {t("notices")}
        </label>
      )}
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
