import { useState } from "react";
import { LanguageSwitch } from "../start/Corner";
import { useSettings } from "../settings";
import { askJudge } from "../lab/judge";
import { sceneNow, useTable } from "../table/store";
import { useUnread } from "../table/reading";
import { ui, useUi } from "../table/ui";
import { sentence, sideWord, useText } from "../text";
import { go } from "../route";

/** Which game, where in it, the score, and the way to everything else. */
export function TopBar({ share = true }: { share?: boolean }) {
  const { t, tx, lang } = useText();
  const { set, sound } = useSettings();
  const view = useTable((s) => s.view)!;
  const { left, right } = useUi();
  const unread = useUnread();
  const [more, setMore] = useState(false);
  const { picture, table } = view;
  /** The phase stands in its own bar, among the others. */
  const phase = picture.phases.find((one) => one.now);
  const track = picture.track.map((stage) => sentence(tx(stage))).filter((word) => !phase || word !== sentence(tx(phase.name)));
  return (
    <header className="topbar">
      <a className="quiet home" href="/" onClick={(e) => (e.preventDefault(), go("/"))} aria-label={t("home")} title={t("home")}>⌂</a>
      <button className="quiet title" onClick={() => ui.set({ sheet: "goal" })} title={t("goal")}>
        <strong>{tx(table.names)}</strong>
        {picture.scenario && <span> · {tx(picture.scenario)}</span>}
      </button>
      <ol className="track">
        {track.map((stage, i) => (
          <li key={i} aria-current={i === track.length - 1 ? "step" : undefined}>{stage}</li>
        ))}
      </ol>
      {picture.score.length > 1 && (
        <div className="score" role="status">
          <span className="side0"><i className="swatch side0" /><span className="word">{t(sideWord(0))}</span> <b>{picture.score[0]}</b></span>
          <span aria-hidden="true">:</span>
          <span className="side1"><b>{picture.score[1]}</b> <span className="word">{t(sideWord(1))}</span><i className="swatch side1 after" /></span>
        </div>
      )}
      {table.watchers > 0 && <span className="count">{t("watchers", { n: table.watchers })}</span>}
      <nav>
        <button className="quiet fold" aria-pressed={left} onClick={() => ui.set({ left: !left })} title={t("army_panel")} aria-label={t("army_panel")}>◧</button>
        <button className="quiet fold" aria-pressed={right} onClick={() => ui.set({ right: !right })} title={t("ask_panel")} aria-label={t("ask_panel")}>◨{!right && unread > 0 && <i className="unread">{unread}</i>}</button>
        <button className="quiet burger" aria-expanded={more} aria-label={t("more")} onClick={() => setMore(!more)}>☰</button>
        <span className={more ? "more open" : "more"} onClick={() => setMore(false)}>
          {/* Where there is no room for the title, behind which this stands. */}
          <button className="quiet only-narrow" onClick={() => ui.set({ sheet: "goal" })}>{t("goal")}</button>
          {share && view.table.started && (view.side !== null || view.outcome) && <button className="quiet" onClick={() => void askJudge(sceneNow())} title={t("askJudgeSays")}>{t("askJudge")}</button>}
          {share && <button className="quiet" onClick={() => ui.set({ sheet: "share" })}>{t("share")}</button>}
          {share && <button className="quiet" onClick={() => ui.set({ guide: true, right: true })} aria-label={t("showGuide")} title={t("showGuide")}>✎</button>}
          <button className={sound ? "quiet" : "quiet mute"} aria-pressed={sound} onClick={() => set({ sound: !sound })} aria-label={t("sound")} title={t("sound")} data-sound>♪</button>
          <button className="quiet" onClick={() => ui.set({ sheet: "keys" })} aria-label={t("keys")} title={t("keys")}>?</button>
          <button className="quiet" onClick={() => ui.set({ sheet: "about" })} aria-label={t("about")} title={t("about")}>ⓘ</button>
          <button className="quiet" onClick={() => ui.set({ sheet: "settings" })} aria-label={t("settings")} title={t("settings")}>⚙</button>
        </span>
        <LanguageSwitch lang={lang} onSwitch={(next) => set({ lang: next })} />
      </nav>
    </header>
  );
}
