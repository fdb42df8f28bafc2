import { useEffect, useRef } from "react";
import { useSettings } from "../settings";
import { useText } from "../text";
import { sound } from "./sound";
import { question, useTable } from "./store";

/** Who has waited so long may look elsewhere, in milliseconds. */
const LONG = 8000;

/** Says that it is one's turn, where somebody who looks elsewhere will notice: the tab's title, a bell, a notification. */
export function Attention() {
  const { t, tx } = useText();
  const asked = useTable((s) => question(s)?.prompt ?? null);
  const names = useTable((s) => s.view?.table.names);
  const roll = useTable((s) => s.roll);
  const refusal = useTable((s) => s.refusal);
  const notices = useSettings((s) => s.notices);
  const before = useRef(false);
  const since = useRef(0);

  useEffect(() => {
    document.title = `${asked ? "● " : ""}${names ? tx(names) : "Umpire"}${asked ? ` · ${t("yourTurn")}` : ""}`;
    return () => void (document.title = "Umpire");
  }, [asked, names, t, tx]);
  useEffect(() => {
    if (!asked) since.current = performance.now();
    if (asked && !before.current) {
      if (document.hidden || !document.hasFocus() || performance.now() - since.current > LONG) sound.bell();
      if (document.hidden && notices && "Notification" in window && Notification.permission === "granted") {
        const note = new Notification(t("yourTurn"), { body: tx(asked), tag: "umpire-turn" });
        note.onclick = () => (window.focus(), note.close());
      }
    }
    before.current = asked !== null;
  }, [asked !== null]);
  useEffect(() => {
    if (roll?.roll) sound.dice(roll.roll.faces.length);
  }, [roll]);
  useEffect(() => {
    if (refusal && !refusal.legal) sound.stamp();
  }, [refusal]);
  return null;
}
