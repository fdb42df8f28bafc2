import { useEffect, useRef, useState } from "react";
import { ApiError, api, seatPath } from "../api";
import { Board } from "../board/Board";
import { Armies } from "../panels/Army";
import { DiceTray } from "../panels/Dice";
import "../panels/panels.css";
import { Sheets } from "../panels/Sheets";
import { SideTabs } from "../panels/Side";
import { Sign } from "../panels/Sign";
import { TopBar } from "../panels/TopBar";
import type { Card, Frame, Given, Json, ReplayInfo, TableInfo } from "../protocol";
import { askJudge } from "../lab/judge";
import { Verify } from "../hosting/Verify";
import { go } from "../route";
import { showFrame, useTable } from "../table/store";
import { useUi } from "../table/ui";
import { sentence, sideWord, useText } from "../text";
import { keptRecord } from "./kept";

const BATCH = 50;
const PACE = 700;

/** Frames are fetched in batches as they are wanted. */
class Reel {
  private batches = new Map<number, Promise<Frame[]>>();
  constructor(readonly info: ReplayInfo) {}

  private batch(n: number): Promise<Frame[]> {
    let found = this.batches.get(n);
    if (!found) this.batches.set(n, (found = this.fetch(n * BATCH, Math.min(this.info.frames, (n + 1) * BATCH))));
    return found;
  }

  /** Where frames are large, fewer come at once: the rest is asked for again. */
  private async fetch(first: number, end: number): Promise<Frame[]> {
    const frames: Frame[] = [];
    while (first + frames.length < end) {
      const more = await api.frames(this.info.replay, first + frames.length, end);
      if (!more.length) break;
      frames.push(...more);
    }
    return frames;
  }

  async frame(n: number): Promise<Frame> {
    return (await this.batch(Math.floor(n / BATCH)))[n % BATCH]!;
  }

  async eventsUpTo(n: number) {
    const batches = await Promise.all(Array.from({ length: Math.floor(n / BATCH) + 1 }, (_, i) => this.batch(i)));
    return batches.flat().slice(0, n + 1).flatMap((f) => f.events);
  }
}

const infoFor = (info: ReplayInfo): TableInfo => ({
  id: info.replay, game: info.game, names: info.names, guide: false, started: true, watchers: 0, takeback: null, over: true, stopped: null, clock: null, fairness: null,
  seats: [0, 1].map((side) => ({ side, kind: "person", name: null, army: null, level: null, connected: true })),
});

/** `#42` is a moment of a replay that was opened before; anything else after the sign is a seat's word. */
const momentOf = (token: string): number | null => (/^\d{0,5}$/.test(token) ? Number(token) : null);

/** A record from this browser, a finished battle by its link (any seat's or the watchers'), or a replay at a moment. */
export default function Replay({ table, token }: { table: string; token: string }) {
  const { t, tx } = useText();
  const [reel, setReel] = useState<Reel | null>(null);
  const [problem, setProblem] = useState("");
  const [at, setAt] = useState(momentOf(token) ?? 0);
  const [copied, setCopied] = useState(false);
  const [frame, setFrame] = useState<Frame | null>(null);
  const [playing, setPlaying] = useState(false);
  const ready = useTable((s) => s.view !== null);
  const { left, right } = useUi();
  const wanted = useRef(0);

  useEffect(() => {
    const record = keptRecord();
    if (!table && !record) return go("/");
    const opened = !table ? api.replay(record!) : momentOf(token) === null ? api.replayOf(table, token) : api.replayAbout(table);
    opened.then(
      (info) => {
        setAt((now) => Math.min(now, info.frames - 1));
        setReel(new Reel(info));
      },
      (error: unknown) => setProblem(error instanceof ApiError ? tx(error.text) : String(error)),
    );
  }, []);

  useEffect(() => {
    if (!reel) return;
    // The address always says which replay this is and which moment of it.
    history.replaceState(null, "", `/replay/${reel.info.replay}#${at}`);
    wanted.current = at;
    void Promise.all([reel.frame(at), reel.eventsUpTo(at)]).then(([shown, log]) => {
      if (wanted.current !== at) return;
      setFrame(shown);
      showFrame({ ...shown, table: infoFor(reel.info) }, log, shown.events.findLast((e) => e.roll) ?? null);
    }, (error: unknown) => setProblem(String(error)));
  }, [reel, at]);

  const last = (reel?.info.frames ?? 1) - 1;
  const step = (by: number) => setAt((now) => Math.min(last, Math.max(0, now + by)));
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => step(1), PACE);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if ((e.target as HTMLElement).matches("input[type=search], input[type=text]")) return;
      if (e.key === "ArrowRight") step(1);
      else if (e.key === "ArrowLeft") step(-1);
      else if (e.key === "Home") setAt(0);
      else if (e.key === "End") setAt(last);
      else if (e.key === " " && !(e.target as HTMLElement).matches("button")) setPlaying((p) => !p);
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [last]);

  async function fork(side: number) {
    try {
      go(seatPath(await api.fork(reel!.info.replay, at, side), side));
    } catch (error) {
      setProblem(error instanceof ApiError ? tx(error.text) : String(error));
    }
  }

  if (problem && !ready)
    return (
      <div className="loading">
        <p className="problem">{problem}</p>
        <a href="/">{t("home")}</a>
      </div>
    );
  if (!ready || !reel) return <div className="loading">{t("loading")}</div>;
  return (
    <div className={`screen ${left ? "" : "no-left"} ${right ? "" : "no-right"}`}>
      <TopBar share={false} />
      {left && <Armies />}
      <main className="middle">
        <Board />
        <DiceTray />
        {problem && <p className="banner" role="alert">{problem}</p>}
      </main>
      <div className="answers player">
        <button className="plain" onClick={() => step(-1)} aria-label={t("prev")} disabled={at === 0}>◀</button>
        <button className="brass" onClick={() => setPlaying(!playing)} disabled={at >= last && !playing}>{t(playing ? "pause" : "play")}</button>
        <button className="plain" onClick={() => step(1)} aria-label={t("next")} disabled={at >= last}>▶</button>
        <input type="range" min={0} max={last} value={at} onChange={(e) => setAt(Number(e.target.value))} aria-label={t("replay")} />
        <span className="count">{t("step", { n: at, all: last })}</span>
        <button className="plain" onClick={() => void navigator.clipboard?.writeText(location.href).then(() => setCopied(true))}>{t(copied ? "copied" : "copyMoment")}</button>
        <button className="plain" title={t("askJudgeSays")} onClick={() => void askJudge(api.sceneAt(reel.info.replay, at))}>{t("askJudge")}</button>
        <Verify replay={reel.info.replay} />
        {[0, 1].map((side) => (
          <button key={side} className="plain" disabled={at >= last} onClick={() => void fork(side)} title={t("forkSays")}>
            <i className={`swatch side${side}`} />
            {t("forkAs", { side: t(sideWord(side)) })}
          </button>
        ))}
      </div>
      {right && (
        <aside className="right">
          <section className="question">
            <header><span className="who">{t("replay")} · {t("step", { n: at, all: last })}</span></header>
            {frame?.asked.map((ask, i) => (
              <div key={i}>
                <h2><i className={`swatch side${ask.side}`} />{tx(ask.prompt)} <Sign rules={ask.rules} /></h2>
                {frame.answered?.side === ask.side && <Answered given={frame.answered} cards={frame.picture.cards} />}
              </div>
            ))}
          </section>
          <SideTabs chat={false} />
        </aside>
      )}
      <Sheets table="" token="" />
    </div>
  );
}

/** What came to a question, where it can be said in a word; where pieces go is seen on the table. */
function Answered({ given, cards }: { given: Given; cards: Card[] }) {
  const { t, tx } = useText();
  const comma = t("comma");
  const word = (value: Json): string => {
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (Array.isArray(value)) return value.map(word).filter(Boolean).join(comma);
    if (typeof value !== "string") return typeof value === "number" ? String(value) : "";
    return tx(cards.find((c) => c.id === value || c.pieces.includes(value))?.name);
  };
  const said = given.said.length ? sentence(given.said.map(tx).join(comma)) : word(given.answer as Json);
  return said ? <p className="help">→ {said}</p> : null;
}
