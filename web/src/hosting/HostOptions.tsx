import { useEffect, useState } from "react";
import { api, ApiError } from "../api";
import type { ClockRules } from "../server";
import { hosting } from "./client";
import { shown } from "./time";
import { useWords } from "./words";

const UNITS = { move: [3600, 12 * 3600, 24 * 3600, 3 * 86400, 7 * 86400], chess: [1800, 3600, 7200, 86400, 7 * 86400], battle: [3600, 7200, 3 * 3600, 7 * 86400, 30 * 86400] };

export interface HostChoices {
  clock?: ClockRules;
  listed?: boolean;
}

/** Clock and lobby, when a table is made. */
export function HostOptions({ open, onChange }: { open: boolean; onChange: (choices: HostChoices) => void }) {
  const w = useWords();
  const [clock, setClock] = useState<ClockRules | null>(null);
  const [listed, setListed] = useState(false);
  const [lobby, setLobby] = useState(false);
  useEffect(() => void hosting.host().then((host) => setLobby(host.lobby), () => null), []);
  useEffect(() => onChange({ ...(clock ? { clock } : {}), ...(listed && open && lobby ? { listed: true } : {}) }), [clock, listed, open, lobby]);
  const kinds = { move: "clockMove", chess: "clockChess", battle: "clockBattle" } as const;
  return (
    <div className="two">
      <label>
        {w("clock")}
        <select name="clock" value={clock?.kind ?? ""} onChange={(e) => { const kind = e.target.value as ClockRules["kind"] | ""; setClock(kind ? { kind, seconds: UNITS[kind][1]!, increment: 0, falls: "remind" } : null); }}>
          <option value="">{w("clockNone")}</option>
          {(Object.keys(kinds) as ClockRules["kind"][]).map((kind) => <option key={kind} value={kind}>{w(kinds[kind])}</option>)}
        </select>
      </label>
      {clock && (
        <>
          <label>
            {w("seconds")}
            <select value={clock.seconds} onChange={(e) => setClock({ ...clock, seconds: Number(e.target.value) })}>
              {UNITS[clock.kind].map((seconds) => <option key={seconds} value={seconds}>{shown(seconds)}</option>)}
            </select>
          </label>
          {clock.kind === "chess" && (
            <label>{w("increment")}<input type="number" min={0} max={86400} value={clock.increment} onChange={(e) => setClock({ ...clock, increment: Math.max(0, Number(e.target.value) | 0) })} /></label>
          )}
          <label>
            {w("falls")}
            <select value={clock.falls} onChange={(e) => setClock({ ...clock, falls: e.target.value as ClockRules["falls"] })}>
              {(["remind", "computer", "lose"] as const).map((what) => <option key={what} value={what}>{w(what)}</option>)}
            </select>
          </label>
        </>
      )}
      {open && lobby && (
        <label className="check"><input type="checkbox" checked={listed} onChange={(e) => setListed(e.target.checked)} />{w("listed")}</label>
      )}
    </div>
  );
}

/** Make a table; where the host wants a password for that, ask for it once. */
export async function createTable(wish: Parameters<typeof api.create>[0] & HostChoices, ask: string) {
  try {
    return await api.create(wish);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const word = prompt(ask);
    if (!word) throw error;
    sessionStorage.setItem("umpire.password", word);
    return api.create(wish);
  }
}
