import type { Purse } from "../protocol";
import { useTable } from "../table/store";
import { Die } from "./Dice";
import { useShow } from "./UnitCard";

/** Dice, points and cards that a side has to spend. */
export function Pools({ side }: { side: number }) {
  const pools = useTable((s) => s.view!.picture.pools);
  const own = pools.filter((pool) => pool.side === side);
  return own.map((pool, i) => <OnePurse key={i} pool={pool} />);
}

function OnePurse({ pool: { name, value, dice } }: { pool: Purse }) {
  const show = useShow();
  return (
    <div className="pool">
      {name != null && <span>{show(name)}</span>}
      {value != null && <b>{show(value)}</b>}
      {dice.map(([face, count], i) => (
        <span key={i} className="set">
          {Array.from({ length: count }, (_, k) => (
            <Die key={k} face={face} small />
          ))}
        </span>
      ))}
    </div>
  );
}
