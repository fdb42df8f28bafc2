import { useEffect, useState } from "react";
import { api } from "../api";
import { RuleBrowser } from "../panels/RuleBrowser";
import "../panels/panels.css";
import type { GameInfo } from "../protocol";
import { go } from "../route";
import { Corner } from "../start/Corner";
import { useText } from "../text";

export default function RulesPage({ rule }: { rule: string }) {
  const { t, tx } = useText();
  const [games, setGames] = useState<GameInfo[]>([]);
  const [game, setGame] = useState(rule.split(".")[0] || "");
  useEffect(() => {
    void api.games().then((found) => {
      setGames(found);
      setGame((now) => now || found[0]?.id || "");
    });
  }, []);
  return (
    <main className="start">
      <Corner>
        <a className="quiet" href="/">{t("home")}</a>
      </Corner>
      <div className="leaf book">
        <h2>{t("ruleBook")}</h2>
        <div className="games">
          {games.map((g) => (
            <button key={g.id} className={g.id === game ? "pick on plain" : "pick plain"} aria-pressed={g.id === game} onClick={() => (setGame(g.id), go("/rules"))}>{tx(g.names)}</button>
          ))}
        </div>
        {game && <RuleBrowser game={game} rule={rule || null} onOpen={(id) => go(id ? `/rules/${id}` : "/rules")} />}
      </div>
    </main>
  );
}
