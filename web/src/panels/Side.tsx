import { useEffect, useMemo, useRef, useState } from "react";
import { say, spoken, useTable } from "../table/store";
import { luck } from "../table/luck";
import { useUnread } from "../table/reading";
import { ui, useUi, type Tab } from "../table/ui";
import { sentence, sideWord, useText } from "../text";
import { Faces } from "./Dice";
import { RuleBrowser } from "./RuleBrowser";
import { Sign } from "./Sign";

/** A word joiner: a sign does not go to a line of its own. */
const JOINED = "\u2060";

const TABS: Tab[] = ["log", "rules", "chat", "luck"];

/** Log, rules, chat and luck, one at a time. */
export function SideTabs({ chat = true }: { chat?: boolean }) {
  const { t } = useText();
  const tab = useUi((s) => s.tab);
  const rule = useUi((s) => s.rule);
  const game = useTable((s) => s.view!.game);
  const unread = useUnread();
  return (
    <section className="tabs">
      <div role="tablist">
        {TABS.filter((x) => chat || x !== "chat").map((x) => (
          <button key={x} role="tab" aria-selected={tab === x} onClick={() => ui.set({ tab: x })}>
            {t(x)}
            {x === "chat" && unread > 0 && <i className="unread">{unread}</i>}
          </button>
        ))}
      </div>
      <div role="tabpanel" className="panel">
        {tab === "log" && <Log />}
        {tab === "rules" && <RuleBrowser game={game} rule={rule} onOpen={(id) => ui.set({ rule: id })} />}
        {tab === "chat" && <ChatPanel />}
        {tab === "luck" && <LuckMeter />}
      </div>
    </section>
  );
}

const SHOWN = 250;

/** Scrolls the list alone, not what it stands in. */
function toTheEnd(end: HTMLElement | null): void {
  const list = end?.closest(".panel, .chat ul");
  if (list) list.scrollTop = list.scrollHeight;
}

function Log() {
  const { tx } = useText();
  const log = useTable((s) => s.log);
  const view = useTable((s) => s.view);
  const about = useUi((s) => s.selected);
  const end = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => log.slice(-SHOWN).map((event) => ({ event, units: spoken(event, view) })), [log, view]);
  useEffect(() => toTheEnd(end.current), [log.length]);
  useEffect(() => () => ui.set({ spoken: [] }), []);
  return (
    <ol className="log">
      {shown.map(({ event, units }) => (
        <li
          key={event.n}
          className={`${event.roll ? "rolled" : /^(round|turn|phase)$/.test(event.kind) ? "chapter" : ""}${about && units.includes(about) ? " spoken" : ""}`}
          onPointerEnter={() => ui.set({ spoken: units })}
          onPointerLeave={() => ui.set({ spoken: [] })}
        >
          {event.roll && <Faces roll={event.roll} small />}
          <span>{sentence(tx(event.text))}</span><span className="signs">{JOINED} <Sign rules={event.rules?.slice(0, 2)} /></span>
        </li>
      ))}
      <div ref={end} />
    </ol>
  );
}

function ChatPanel() {
  const { t } = useText();
  const chat = useTable((s) => s.chat);
  const [text, setText] = useState("");
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => toTheEnd(end.current), [chat.length]);
  return (
    <div className="chat">
      <ul>
        {chat.map((line) => (
          <li key={line.n}>
            <b className={line.from === null ? "" : `side${line.from}`}>{line.name || (line.from === null ? t("watching") : t(sideWord(line.from)))}</b> {line.text}
          </li>
        ))}
        <div ref={end} />
      </ul>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (text.trim()) say.chat(text.trim());
          setText("");
        }}
      >
        <input value={text} maxLength={500} onChange={(e) => setText(e.target.value)} placeholder={t("say")} aria-label={t("say")} />
      </form>
    </div>
  );
}

/** What the dice gave against what was expected. */
function LuckMeter() {
  const { t } = useText();
  const log = useTable((s) => s.log);
  return (
    <div className="luck">
      {[0, 1].map((side) => {
        const found = luck(log, side);
        const shift = Math.max(-3, Math.min(3, found.deviation));
        return (
          <div key={side}>
            <h4>
              <i className={`swatch side${side}`} />
              {t(sideWord(side))}
            </h4>
            {found.dice === 0 ? (
              <p>{t("noLuck")}</p>
            ) : (
              <>
                <div className="gauge" role="img" aria-label={t(shift > 0.5 ? "lucky" : shift < -0.5 ? "unlucky" : "fair")}>
                  <i style={{ left: `${50 + (shift / 3) * 50}%` }} />
                </div>
                <p>
                  {t("luckSays", { n: found.dice, want: found.expected.toFixed(1), got: found.got })} · {t(shift > 0.5 ? "lucky" : shift < -0.5 ? "unlucky" : "fair")}
                </p>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}
