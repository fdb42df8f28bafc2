import { useState } from "react";
import { api } from "../api";
import { go } from "../route";
import { Sign } from "../panels/Sign";
import { useText } from "../text";
import { lab, useLab } from "./lab";
import { useLabWords } from "./words";

/** A position with nothing in it yet; what a game demands is said beside the line. */
const blank = (game: string) => `game: ${game}\ndice: [seeded]\nposition: {}\n`;

/** Puzzles by game, and an empty position of each. */
export function PuzzleList({ narrow = false }: { narrow?: boolean }) {
  const { t, tx } = useText();
  const w = useLabWords();
  const { puzzles, puzzle } = useLab();
  const [game, setGame] = useState(puzzle?.game ?? "");
  const games = puzzles.filter((p, n) => puzzles.findIndex((other) => other.game === p.game) === n).map((p) => ({ id: p.game, names: p.names }));
  const chosen = game || games[0]?.id || "";
  async function begin(id: string) {
    const { template } = await api.labGame(id);
    lab.load(template || blank(id));
    lab.set({ tab: "set-up" });
    lab.arrange(true);
  }
  return (
    <section className={narrow ? "puzzles narrow" : "puzzles"}>
      {!narrow && <h2>{w("lab")}</h2>}
      <p className="help">{w("choose")}</p>
      {!games.length && <p className="help" role="status">{t("loading")}</p>}
      <div className="games">
        {games.map((g) => (
          <button key={g.id} className={g.id === chosen ? "pick on plain" : "pick plain"} aria-pressed={g.id === chosen} onClick={() => setGame(g.id)}>{tx(g.names)}</button>
        ))}
      </div>
      <ol>
        {puzzles.filter((p) => p.game === chosen).map((p) => (
          <li key={p.id}>
            <a href={`/lab/${p.id}`} aria-current={p.id === puzzle?.id ? "page" : undefined} onClick={(e) => (e.preventDefault(), go(`/lab/${p.id}`))}>
              <b>{tx(p.title)}</b>
              <span>{tx(p.question)}</span>
            </a>
          </li>
        ))}
      </ol>
      {!narrow && lab.kept() && <button className="plain" onClick={() => (lab.load(lab.kept()!), lab.set({ tab: "ask" }))}>{w("last")}</button>}
      {chosen && <button className="plain" data-blank={chosen} onClick={() => void begin(chosen)}>＋ {w("blank")}</button>}
    </section>
  );
}

/** The question over the table; the ruling when somebody wants to see it. */
export function PuzzleCard() {
  const { tx } = useText();
  const w = useLabWords();
  const { puzzle, solved } = useLab();
  const [folded, setFolded] = useState(false);
  if (!puzzle) return null;
  const fold = <button className="quiet fold-card" aria-expanded={!folded} aria-label={w(folded ? "unfold" : "fold")} title={w(folded ? "unfold" : "fold")} onClick={() => setFolded(!folded)}>{folded ? "▴" : "▾"}</button>;
  if (folded) return <section className="puzzle-card folded" role="note"><h3>{tx(puzzle.title)} {fold}</h3></section>;
  return (
    <section className="puzzle-card" role="note">
      <h3>{tx(puzzle.title)} {fold}</h3>
      <p>{tx(puzzle.question)}</p>
      {solved ? (
        <>
          <p className="ruling">{tx(puzzle.ruling)}</p>
          <p className="by">
            {w("rules")} {puzzle.rules.map((rule) => <span key={rule}><Sign rules={[rule]} /> <code>{rule}</code> </span>)}
          </p>
        </>
      ) : (
        <button className="brass" onClick={() => lab.solve()}>{w("solve")}</button>
      )}
    </section>
  );
}
