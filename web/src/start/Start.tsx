import { useEffect, useState } from "react";
import { ApiError, api, seatPath } from "../api";
import type { GameInfo } from "../protocol";
import { go } from "../route";
import { Corner } from "./Corner";
import { NewTableForm } from "./NewTableForm";
import { OpenTable } from "./OpenTable";
import { useText, type Word } from "../text";
import { useWords } from "../hosting/words";

type Leaf = "home" | "new" | "open";

export function Start() {
  const { t, tx } = useText();
  const w = useWords();
  const [leaf, setLeaf] = useState<Leaf>("home");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");

  const [games, setGames] = useState<GameInfo[]>([]);
  useEffect(() => {
    void api.games().then(setGames, () => undefined); // said when a battle is wanted
  }, []);

  async function firstBattle(id?: string) {
    setBusy(true);
    setProblem("");
    try {
      const known = games.length ? games : await api.games();
      const game = known.find((g) => g.id === id) ?? known[0]!;
      const first = game.library.first;
      const [mine, theirs] = first?.armies ?? [];
      const created = await api.create({
        game: game.id,
        seats: [{ kind: "person", ...(mine ? { army: mine } : {}) }, { kind: "computer", level: "easy", ...(theirs ? { army: theirs } : {}) }],
        ...(first ? { options: first.options } : {}),
        guide: true,
      });
      go(seatPath(created, 0));
    } catch (error) {
      setProblem(t("failed") + (error instanceof ApiError ? tx(error.text) : String(error)));
      setBusy(false);
    }
  }

  return (
    <main className={`start ${leaf}`}>
      <Corner />
      <header>
        <Compasses />
        <h1>
          Umpire <span lang="zh-Hans">裁判</span>
        </h1>
        <p>{t("tagline")}</p>
      </header>
      {problem && <p className="problem" role="alert">{problem}</p>}
      {leaf === "home" && (
        <div className="cards">
          <StartCard title="first" says={games.length ? "firstSays" : "firstSoon"} game={tx(games[0]?.names)} go="firstGo" art={<Pawns />} onGo={() => void firstBattle()} busy={busy} main />
          <StartCard title="newTable" says="newSays" go="newGo" art={<Field />} onGo={() => setLeaf("new")} />
          <StartCard title="goOn" says="goOnSays" go="goOnGo" art={<Scroll />} onGo={() => setLeaf("open")} />
        </div>
      )}
      {leaf === "home" && (
        <p className="row firsts">
          {games.length > 1 && t("otherFirst")}
          {games.slice(1).map((game) => (
            <button key={game.id} className="plain" disabled={busy} data-first={game.id} onClick={() => void firstBattle(game.id)}>{tx(game.names)}</button>
          ))}
        </p>
      )}
      {leaf === "home" && <nav className="row end"><a href="/mine">{w("mine")}</a><a href="/lobby">{w("lobby")}</a><a href="/lab" onClick={(e) => (e.preventDefault(), go("/lab"))}>{t("lab")}</a></nav>}
      {leaf === "new" && <NewTableForm onBack={() => setLeaf("home")} />}
      {leaf === "open" && <OpenTable onBack={() => setLeaf("home")} />}
    </main>
  );
}

function StartCard(props: { title: Word; says: Word; game?: string; go: Word; art: React.ReactNode; onGo: () => void; busy?: boolean; main?: boolean }) {
  const { t } = useText();
  return (
    <button className={props.main ? "card main" : "card"} onClick={props.onGo} disabled={props.busy}>
      {props.art}
      <h2>{t(props.title)}</h2>
      <p>{t(props.says, { game: props.game ?? "" })}</p>
      <span className="go">{props.busy ? t("loading") : t(props.go)}</span>
    </button>
  );
}

const Compasses = () => (
  <svg className="mark" viewBox="0 0 64 64" aria-hidden="true">
    <path d="M32 8v8M32 14 14 54M32 14l18 40M22 38c6 5 14 5 20 0" />
    <circle cx="32" cy="14" r="4" />
  </svg>
);

const Pawns = () => (
  <svg className="art" viewBox="0 0 200 96" aria-hidden="true">
    <g className="blue">
      <path d="M48 84c-14 0-18-4-18-8 0-6 10-6 11-14l3-20c-4-3-6-6-6-11a10 10 0 0 1 20 0c0 5-2 8-6 11l3 20c1 8 11 8 11 14 0 4-4 8-18 8z" />
    </g>
    <g className="red">
      <path d="M152 84c-14 0-18-4-18-8 0-6 10-6 11-14l3-20c-4-3-6-6-6-11a10 10 0 0 1 20 0c0 5-2 8-6 11l3 20c1 8 11 8 11 14 0 4-4 8-18 8z" />
    </g>
    <path className="line" d="M72 60h56M72 56v8M86 57v6M100 56v8M114 57v6M128 56v8" />
  </svg>
);

const Field = () => (
  <svg className="art" viewBox="0 0 200 96" aria-hidden="true">
    <path className="line" d="M20 84 50 20h100l30 64zM35 52h130M70 20 58 84M100 20v64M130 20l12 64" />
    <rect className="blue" x="84" y="60" width="18" height="12" />
    <rect className="red" x="108" y="30" width="16" height="9" />
  </svg>
);

const Scroll = () => (
  <svg className="art" viewBox="0 0 200 96" aria-hidden="true">
    <circle className="line" cx="100" cy="48" r="36" />
    <path className="line" d="M100 24v24l17 12M64 48H54l8-10M136 48h10" />
    <circle className="dot" cx="100" cy="48" r="3" />
  </svg>
);
