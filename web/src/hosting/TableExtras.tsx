import { useEffect, useState } from "react";
import type { Text } from "../protocol";
import { hosted, type Clock } from "../server";
import { question, say, useOrders, useTable } from "../table/store";
import { sideWord, useText } from "../text";
import { hosting, myKey } from "./client";
import "./hosting.css";
import { shown } from "./time";
import { useWords } from "./words";

/** What a battle over days shows at the table: its clock, why it stands still, and standing orders. */
export function TableExtras({ table, token }: { table: string; token: string }) {
  const { tx } = useText();
  const info = useTable((s) => (s.view ? hosted(s.view.table) : null));
  useEffect(() => {
    const key = myKey();
    if (key && info) void hosting.hold(key, table, token).catch(() => null);
  }, [table, token, info !== null]);
  if (!info) return null;
  return (
    <aside className="extras">
      {info.stopped && <p className="banner" role="alert">{tx(info.stopped)}</p>}
      {info.clock && !info.over && <ClockFace clock={info.clock} />}
      <OrderForm />
    </aside>
  );
}

/** The seconds of each side, running where they run; the server says how many are left whenever it says anything. */
function ClockFace({ clock }: { clock: Clock }) {
  const { t } = useText();
  const w = useWords();
  const [since, setSince] = useState(() => performance.now());
  const [now, setNow] = useState(since);
  useEffect(() => setSince(performance.now()), [clock]);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const passed = Math.max(0, now - since) / 1000;
  const sides = clock.kind === "battle" ? [0] : [0, 1];
  return (
    <div className="clock" role="timer" aria-label={w("clock")}>
      {sides.map((side) => {
        const runs = clock.kind === "battle" ? clock.running.length > 0 : clock.running.includes(side);
        const left = clock.left[side]! - (runs ? passed : 0);
        return (
          <span key={side} className={`${runs ? "runs" : ""} ${left <= 0 ? "out" : ""}`}>
            {clock.kind !== "battle" && <i className={`swatch side${side}`} title={t(sideWord(side))} />}
            {left <= 0 && runs ? w("timeUp") : shown(left)}
          </span>
        );
      })}
    </div>
  );
}

/** The words of a question that has an order, for the list of orders; the server keeps the order alone. */
const WORDS = "umpire.orders";
const remembered = (): Record<string, { prompt: Text; answer: string } | undefined> => JSON.parse(localStorage.getItem(WORDS) ?? "{}") as Record<string, { prompt: Text; answer: string }>;
const remember = (key: string, words: { prompt: Text; answer: string }) => localStorage.setItem(WORDS, JSON.stringify({ ...remembered(), [key]: words }));

/** "Whenever this is asked, answer so": for questions that are answered by one of a few words. */
function OrderForm() {
  const { tx, t } = useText();
  const w = useWords();
  const ask = useTable(question);
  const orders = useOrders((s) => s.orders);
  const [open, setOpen] = useState(false);
  const known = Object.keys(orders);

  const key = ask?.prompt.key ?? "";
  const options = ask?.kind === "confirm" ? [{ id: true, label: t("yes") }, { id: false, label: t("no") }] : ask?.kind === "choose" ? (ask.options ?? []).map((o) => ({ id: o.id as string | boolean, label: tx(o.label) || o.id })) : [];
  if (options.length === 0 && known.length === 0) return null;
  const set = (answer: string | boolean | undefined) => {
    const { [key]: _, ...rest } = orders;
    if (answer !== undefined && ask) remember(key, { prompt: ask.prompt, answer: options.find((option) => option.id === answer)?.label ?? "" });
    say.orders(answer === undefined ? rest : { ...rest, [key]: answer });
  };
  const told = remembered();
  return (
    <details className="orders" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{w("orders")}{known.length > 0 && ` (${known.length})`}</summary>
      {ask && key && options.length > 0 && (
        <label>
          {w("ordersSays")} <b>{tx(ask.prompt)}</b>
          <select value={orders[key] === undefined ? "" : JSON.stringify(orders[key])} onChange={(e) => set(e.target.value ? (JSON.parse(e.target.value) as string | boolean) : undefined)}>
            <option value="">{w("ask")}</option>
            {options.map((option) => <option key={String(option.id)} value={JSON.stringify(option.id)}>{option.label}</option>)}
          </select>
        </label>
      )}
      {known.filter((one) => one !== key).map((one) => (
        <p key={one}>
          {tx(told[one]?.prompt) || w("someQuestion")} → {told[one]?.answer ?? "…"}{" "}
          <button className="quiet" onClick={() => { const { [one]: _, ...rest } = orders; say.orders(rest); }}>{w("ask")}</button>
        </p>
      ))}
    </details>
  );
}
