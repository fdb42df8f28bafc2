import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError, api, seatPath } from "../api";
import { Board } from "../board/Board";
import { Answers } from "../panels/Answers";
import { DiceTray } from "../panels/Dice";
import "../panels/panels.css";
import { Question } from "../panels/Question";
import { Sheets } from "../panels/Sheets";
import { SideTabs } from "../panels/Side";
import type { NewSeat } from "../protocol";
import { go } from "../route";
import { useSettings } from "../settings";
import { LanguageSwitch } from "../start/Corner";
import "../table/draft";
import { listen } from "../table/keys";
import { hurry, useTable } from "../table/store";
import { useUi } from "../table/ui";
import { sentence, useText } from "../text";
import { AskPanel } from "./AskPanel";
import { Editor } from "./Editor";
import { takeBrought } from "./judge";
import { lab, useLab } from "./lab";
import "./lab.css";
import { PuzzleCard, PuzzleList } from "./Puzzles";
import { pack, unpack } from "./scene";
import { SetUp } from "./SetUp";
import { useLabWords, type LabWord } from "./words";

/** Is there no room beside the table for what is said of it? */
const NARROW = matchMedia("(max-width: 1100px)");
const useNarrow = () =>
  useSyncExternalStore(
    (changed) => (NARROW.addEventListener("change", changed), () => NARROW.removeEventListener("change", changed)),
    () => NARROW.matches,
  );

const TABS = ["puzzles", "set-up", "ask", "log"] as const;
const TAB_WORDS: Record<(typeof TABS)[number], LabWord> = { puzzles: "puzzles", "set-up": "setUp", ask: "ask", log: "log" };

/** The rules lab: a position, its text, and the umpire. `puzzle` is the end of the address, `packed` a scene in it. */
export default function LabScreen({ puzzle, packed }: { puzzle: string; packed: string }) {
  const { t, tx } = useText();
  const w = useLabWords();
  const { text, problem, broken, tab, found } = useLab();
  const ready = useTable((s) => s.view !== null);

  useEffect(() => {
    const brought = takeBrought();
    if (brought !== null) lab.load(brought);
    else if (packed) void unpack(packed).then((scene) => lab.load(scene), () => lab.set({ broken: true }));
    else if (puzzle) void api.puzzle(puzzle).then((one) => lab.load(one.scene, one), (error: unknown) => lab.set({ problem: error instanceof ApiError ? error.text : null }));
    if (brought !== null || packed) lab.set({ tab: "ask" });
    return lab.leave;
  }, [puzzle, packed]);
  useEffect(listen, []);
  const narrow = useNarrow();
  // The list can wait until the table stands.
  const waits = !!(puzzle || packed) && !found && !problem && !broken;
  useEffect(() => {
    if (!waits && !useLab.getState().puzzles.length) void api.puzzles().then((puzzles) => lab.set({ puzzles }), () => undefined);
  }, [waits]);
  // A § opens its rule beside the log, wherever it stands.
  const rule = useUi((s) => s.rule);
  useEffect(() => void (rule && lab.set({ tab: "log" })), [rule]);

  return (
    <div className={text ? "screen lab" : "screen lab empty"}>
      <LabBar />
      <aside className="text">{text && <Editor />}</aside>
      <main className="middle" onClick={hurry}>
        {ready ? <Board /> : (text || waits) && <div className="loading">{found?.error ? w("noTable") : t("loading")}</div>}
        {ready && <DiceTray />}
        {(problem || broken) && <p className="banner" role="alert">{problem ? tx(problem) : w("broken")}</p>}
        {ready && !narrow && <PuzzleCard />}
        {!text && !waits && <PuzzleList />}
      </main>
      {ready ? <Answers hints={false} /> : <div className="answers" />}
      <aside className="right">
        {ready && narrow && <PuzzleCard />}
        {text && (
          <section className="tabs">
            <div role="tablist">
              {TABS.map((x) => (
                <button key={x} role="tab" aria-selected={tab === x} onClick={() => lab.set({ tab: x })}>{w(TAB_WORDS[x])}</button>
              ))}
            </div>
            <div role="tabpanel" className="panel">
              {tab === "puzzles" && <PuzzleList narrow />}
              {tab === "set-up" && <SetUp />}
              {tab === "ask" && found && <AskPanel />}
              {tab === "log" && ready && <SideTabs chat={false} />}
            </div>
          </section>
        )}
        {ready && tab !== "set-up" && <Question />}
      </aside>
      <Sheets table="" token="" />
    </div>
  );
}

/** What the scene is, and what can be done with it: load, save, share, play on. */
function LabBar() {
  const { t, tx, lang } = useText();
  const settings = useSettings();
  const w = useLabWords();
  const { text, arranging, before, game, tab } = useLab();
  const track = useTable((s) => s.view?.picture.track);
  const file = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);

  async function share() {
    const address = `${location.origin}/lab#${await pack(text)}`;
    history.replaceState(null, "", address);
    await navigator.clipboard?.writeText(address).catch(() => undefined);
    setCopied(true);
  }
  /** What is loaded stands for itself: the address no longer names what was there before. The same file may come again. */
  async function open(picker: HTMLInputElement) {
    const given = await picker.files?.[0]?.text();
    picker.value = "";
    if (given === undefined) return;
    history.replaceState(null, "", "/lab");
    lab.load(given || "\n");
    lab.set({ tab: "ask" });
  }
  function save() {
    const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    const a = Object.assign(document.createElement("a"), { href: url, download: `${game?.game ?? "scene"}.yaml` });
    a.click();
    URL.revokeObjectURL(url);
  }
  return (
    <header className="topbar">
      <a className="quiet home" href="/" onClick={(e) => (e.preventDefault(), go("/"))} aria-label={t("home")} title={t("home")}>⌂</a>
      <a className="quiet title" href="/lab" onClick={(e) => (e.preventDefault(), lab.leave(), go("/lab"))}>
        <strong>{w("lab")}</strong>
        {game && text && <span> · {tx(game.names)}</span>}
      </a>
      <ol className="track">
        {text && track?.map((stage, i) => <li key={i} aria-current={i === track.length - 1 ? "step" : undefined}>{sentence(tx(stage))}</li>)}
      </ol>
      {text && (
        <nav>
          <span className="seg" title={w("arrangeSays")}>
            <button aria-pressed={!arranging} onClick={() => (lab.arrange(false), tab === "set-up" && lab.set({ tab: "ask" }))}>{w("play")}</button>
            <button aria-pressed={arranging} onClick={() => (lab.arrange(true), lab.set({ tab: "set-up" }))}>{w("arrange")}</button>
          </span>
          <button className="quiet" onClick={lab.undo} disabled={!before.length}>{w("undo")}</button>
          <button className="quiet" onClick={save}>{w("save")}</button>
          <button className="quiet" onClick={() => void share()}>{w(copied ? "copied" : "link")}</button>
          <GoOn />
        </nav>
      )}
      <button className="quiet" onClick={() => file.current?.click()}>{w("load")}</button>
      <input ref={file} type="file" hidden accept=".yaml,.yml,.json" onChange={(e) => void open(e.target)} />
      <LanguageSwitch lang={lang} onSwitch={(next) => settings.set({ lang: next })} />
    </header>
  );
}

/** A table from here on: alone, against the computer, or with a friend who gets a link. */
function GoOn() {
  const { tx } = useText();
  const w = useLabWords();
  const text = useLab((s) => s.text);
  const asked = useTable((s) => s.view?.decisions[0]?.side ?? null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const me: NewSeat = { kind: "person" };
  async function play(seats: NewSeat[], own: number) {
    setBusy(true);
    try {
      go(seatPath(await api.labTable(text, seats), own));
    } catch (error) {
      setBusy(false);
      lab.set({ problem: error instanceof ApiError ? error.text : { zh: String(error), en: String(error) } });
    }
  }
  const sides = [w("sideA"), w("sideB")];
  const ways: { says: string; seats: NewSeat[]; own: number }[] = [
    { says: w("alone"), seats: [me, me], own: asked ?? 0 },
    ...[0, 1].map((own) => ({ says: w("computer", { side: sides[own]! }), seats: [0, 1].map((s): NewSeat => (s === own ? me : { kind: "computer", level: "normal" })), own })),
    ...[0, 1].map((own) => ({ says: w("friend", { side: sides[own]! }), seats: [0, 1].map((s): NewSeat => (s === own ? me : { kind: "open" })), own })),
  ];
  return (
    <span className="go-on">
      <button className="brass" disabled={asked === null || busy} aria-expanded={open} onClick={() => setOpen(!open)}>{w("goOn")}</button>
      {open && (
        <span className="menu" role="menu" onClick={() => setOpen(false)}>
          {ways.map((way) => <button key={way.says} role="menuitem" onClick={() => void play(way.seats, way.own)}>{tx(way.says)}</button>)}
        </span>
      )}
    </span>
  );
}
