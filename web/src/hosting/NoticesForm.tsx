import { useState } from "react";
import { ApiError } from "../api";
import type { HostInfo, Me, Wanted, Webhook } from "../server";
import { useText } from "../text";
import { hosting, subscribe } from "./client";
import { useWords } from "./words";

const FORMS: Webhook["form"][] = ["discord", "feishu", "wecom", "json"];
const NAMES = { discord: "Discord", feishu: "飞书 Feishu", wecom: "企业微信 WeCom", json: "JSON" };

const clockTime = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** How somebody wants to be told that it is their turn. */
export function NoticesForm({ me, host, myself, onSaved }: { me: Me; host: HostInfo | null; myself: string; onSaved: () => Promise<void> }) {
  const { tx, lang } = useText();
  const w = useWords();
  const [wanted, setWanted] = useState<Wanted>(me.notices);
  const [name, setName] = useState(me.name);
  const [code, setCode] = useState("");
  const [said, setSaid] = useState("");
  const change = (more: Partial<Wanted>) => setWanted((now) => ({ ...now, ...more }));
  const tried = (deed: Promise<unknown>) =>
    void deed.then(() => setSaid(w("saved")), (error: unknown) => setSaid(w("failed") + (error instanceof ApiError ? tx(error.text) : String(error)))).then(onSaved);

  const save = (event: React.FormEvent) => (event.preventDefault(), tried(hosting.change(myself, { name, notices: { ...wanted, lang, confirmed: "" } })));
  async function push() {
    const made = await subscribe(host?.push ?? "").catch(() => null);
    if (!made) return setSaid(w("pushNot"));
    const rest = wanted.push.filter((one) => one.endpoint !== made.endpoint).slice(-4);
    change({ push: [...rest, made] });
    tried(hosting.change(myself, { notices: { ...wanted, lang, confirmed: "", push: [...rest, made] } }));
  }

  return (
    <form className="notices" onSubmit={save}>
      <h3>{w("notices")}</h3>
      <p className="help">{w("noticesOnce")}</p>
      <div className="two">
        <label>{w("name")}<input maxLength={24} value={name} onChange={(e) => setName(e.target.value)} /></label>
        <label>
          {w("webhook")}
          <select value={wanted.webhook?.form ?? ""} onChange={(e) => change({ webhook: e.target.value ? { form: e.target.value as Webhook["form"], url: wanted.webhook?.url ?? "" } : null })}>
            <option value="">{w("none")}</option>
            {FORMS.map((form) => <option key={form} value={form}>{NAMES[form]}</option>)}
          </select>
        </label>
        {wanted.webhook && (
          <label>{w("url")}<input type="url" required maxLength={500} value={wanted.webhook.url} onChange={(e) => change({ webhook: { ...wanted.webhook!, url: e.target.value } })} /></label>
        )}
        {host?.mail && (
          <label>
            {w("email")}{wanted.email && wanted.email === me.notices.confirmed && ` ✓ ${w("confirmed")}`}
            <input type="email" maxLength={200} value={wanted.email} onChange={(e) => change({ email: e.target.value })} />
          </label>
        )}
        {host?.mail && me.notices.email && me.notices.email !== me.notices.confirmed && (
          <label>
            {w("code")}
            <span className="row">
              <input inputMode="numeric" maxLength={8} value={code} onChange={(e) => setCode(e.target.value)} />
              <button type="button" className="plain" onClick={() => tried(hosting.change(myself, { code }))}>{w("confirm")}</button>
            </span>
          </label>
        )}
        <label>
          {w("quiet")}
          <span className="row">
            <input type="checkbox" checked={wanted.quiet !== null} onChange={(e) => change({ quiet: e.target.checked ? { start: 1320, end: 480, zone: Intl.DateTimeFormat().resolvedOptions().timeZone } : null })} />
            {wanted.quiet && (
              <>
                {w("from")} <input type="time" value={clockTime(wanted.quiet.start)} onChange={(e) => change({ quiet: { ...wanted.quiet!, start: minutesOf(e.target.value) } })} />
                {w("until")} <input type="time" value={clockTime(wanted.quiet.end)} onChange={(e) => change({ quiet: { ...wanted.quiet!, end: minutesOf(e.target.value) } })} />
              </>
            )}
          </span>
        </label>
      </div>
      <div className="row end">
        {said && <span role="status">{said}</span>}
        <button type="button" className="plain" onClick={() => void push()}>{w(wanted.push.length ? "pushOn" : "push")}</button>
        <button className="brass">{w("save")}</button>
      </div>
    </form>
  );
}
