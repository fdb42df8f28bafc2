import { useState } from "react";
import { ApiError } from "../api";
import { useText } from "../text";
import { hosting } from "./client";
import { commitmentsHold } from "./proof";
import { useWords } from "./words";

/** `umpire replay --verify` as a button: the server plays the record again, the browser checks the commitments. */
export function Verify({ replay }: { replay: string }) {
  const { tx } = useText();
  const w = useWords();
  const [said, setSaid] = useState("");
  const [good, setGood] = useState<boolean | null>(null);
  async function verify() {
    setSaid(w("verifying"));
    try {
      const found = await hosting.verify(replay);
      const { verdict } = found;
      const dice = commitmentsHold(found);
      const fine = verdict.same && verdict.fair !== false && dice !== false;
      setGood(fine);
      const withheld = found.fairness?.withheld?.length ? ` · ${w("withheld")}` : "";
      setSaid((fine ? w(dice ? "same" : "sameNoDice", { n: verdict.answers }) : `${w("differs")} ${JSON.stringify(verdict.difference ?? "").slice(0, 120)}`) + withheld);
    } catch (error) {
      setSaid(error instanceof ApiError ? tx(error.text) : String(error));
    }
  }
  return (
    <>
      <button className="plain verify" onClick={() => void verify()}>{w("verify")}</button>
      {said && <span className={`count verified ${good === false ? "bad" : ""}`} role="status">{said}</span>}
    </>
  );
}
