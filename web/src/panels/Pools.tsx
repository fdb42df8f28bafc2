import type { Json } from "../protocol";
import { useTable } from "../table/store";
import { useText, type Word } from "../text";
import { Die } from "./Dice";
import { useShow } from "./UnitCard";

const WORDS: Record<string, Word> = { wild: "wild", initiative: "initiative", command: "command", deck: "deck", hand: "hand", stack: "stack" };

/** Dice, points and cards that a side has to spend. */
export function Pools({ side }: { side: number }) {
  const pools = useTable((s) => s.view!.picture.pools);
  const own = pools.filter((pool) => pool.side === side);
  return own.map((pool, i) => <Pool key={i} pool={pool} />);
}

function Pool({ pool }: { pool: Record<string, Json> }) {
  const { t } = useText();
  const show = useShow();
  const { side: _, name, label, value, singles, sets, ...more } = pool;
  const dice = [...((sets as [number, number][] | undefined) ?? []), ...((singles as number[] | undefined) ?? []).map((face): [number, number] => [face, 1])];
  return (
    <div className="pool">
      {name !== undefined || label !== undefined ? <span>{show(name ?? label)}</span> : null}
      {value !== undefined && <b>{show(value)}</b>}
      {dice.map(([face, count], i) => (
        <span key={i} className="set">
          {Array.from({ length: count }, (_, k) => (
            <Die key={k} face={face} small />
          ))}
        </span>
      ))}
      {Object.entries(more)
        .filter(([key, v]) => WORDS[key] && v !== false && v !== 0 && v !== null && !(Array.isArray(v) && !v.length))
        .map(([key, v]) => (
          <span key={key} className="count">
            {t(WORDS[key]!)}
            {v !== true && <b> {show(v)}</b>}
          </span>
        ))}
    </div>
  );
}
