import { useState } from "react";
import { ApiError, api, seatPath } from "../api";
import type { Story, View } from "../protocol";
import { go } from "../route";
import { luck } from "../table/luck";
import { notify, useTable } from "../table/store";
import { sentence, sideWord, useText } from "../text";

/** After the end: what it cost, whom the dice loved, where it turned; keep the record, see it again, play again. */
export function Finished({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const over = useTable((s) => !s.showing && !!s.view?.outcome);
  const view = useTable((s) => s.view!);
  const { game, outcome, side, table: info } = view;
  const [seen, setSeen] = useState(false);
  if (!over || !outcome || seen) return null;
  /** What the server would not do is said where other news is. */
  const tried = (deed: () => Promise<void>) => () =>
    void deed().catch((error: unknown) => notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) }));
  async function save() {
    const url = URL.createObjectURL(new Blob([await api.record(table, token)], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${game}-${table.slice(0, 8)}.record` });
    link.click();
    URL.revokeObjectURL(url);
  }
  async function again() {
    go(`/replay/${table}#${token}`);
  }
  /** Against a computer as strong as this one, or an ordinary one after a battle with a friend. */
  async function anew() {
    const level = info.seats.find((seat) => seat.kind === "computer")?.level ?? "normal";
    go(seatPath(await api.create({ game, seats: [{ kind: "person" }, { kind: "computer", level }], guide: info.guide }), 0));
  }
  const { winner } = outcome;
  const word = winner === null ? t("draw") : side === null ? t("won", { who: t(sideWord(winner)) }) : t(winner === side ? "youWon" : "youLost");
  return (
    <div className="finished" role="dialog" aria-label={t("over")}>
      <button className="quiet shut" onClick={() => setSeen(true)} aria-label={t("close")}>✕</button>
      <h2 className={winner === null ? "" : `side${winner}`}>
        {winner !== null && <i className={`swatch side${winner}`} />}
        {word}
        <small>{outcome.score.join(" : ")}</small>
      </h2>
      {outcome.key === "outcome.resigned" && winner !== null && <p>{t("resigned", { who: t(sideWord(1 - winner)) })}</p>}
      <Reckoning view={view} />
      <Turns table={table} token={token} />
      <button className="brass" onClick={tried(anew)}>{t("playAgain")}</button>
      <button className="plain" onClick={tried(again)}>{t("watchAgain")}</button>
      <button className="plain" onClick={tried(save)}>{t("saveRecord")}</button>
    </div>
  );
}

/** Losses and luck of both sides. */
function Reckoning({ view }: { view: View }) {
  const { t } = useText();
  const log = useTable((s) => s.log);
  return (
    <table>
      <thead>
        <tr>
          <th />
          <th>{t("unitsLost")}</th>
          <th>{t("luck")}</th>
        </tr>
      </thead>
      <tbody>
        {[0, 1].map((side) => {
          const cards = view.picture.cards.filter((card) => card.side === side);
          const { deviation, dice } = luck(log, side);
          return (
            <tr key={side}>
              <th scope="row"><i className={`swatch side${side}`} />{t(sideWord(side))}</th>
              <td>{cards.filter((card) => card.dead).length} / {cards.length}</td>
              <td>{dice ? t(deviation > 0.5 ? "lucky" : deviation < -0.5 ? "unlucky" : "fair") : "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Where the planner's estimate of the battle moved most, each a way into the replay. */
function Turns({ table, token }: { table: string; token: string }) {
  const { t, tx } = useText();
  const [found, setFound] = useState<{ replay: string; story: Story } | "busy" | null>(null);
  async function look() {
    setFound("busy");
    try {
      const { replay } = await api.replayOf(table, token);
      setFound({ replay, story: await api.story(replay) });
    } catch (error) {
      setFound(null);
      notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) });
    }
  }
  if (found === null) return <button className="quiet turns" onClick={() => void look()}>{t("turns")}</button>;
  if (found === "busy") return <p className="help">{t("checking")}</p>;
  return (
    <ol className="turns">
      {found.story.turns.map((turn) => (
        <li key={turn.at}>
          <a href={`/replay/${found.replay}#${turn.at}`} onClick={(e) => (e.preventDefault(), go(`/replay/${found.replay}#${turn.at}`))}>
            <i className={`swatch side${turn.by > 0 ? 0 : 1}`} /> {t("turnFor", { who: t(sideWord(turn.by > 0 ? 0 : 1)) })}
          </a>
          {turn.text && <span> {sentence(tx(turn.text))}</span>}
        </li>
      ))}
      {found.story.turns.length === 0 && <li>{t("noTurns")}</li>}
    </ol>
  );
}
