/** Every question can be answered from the keyboard; fields to type in keep their keys. */
import { look, useCamera, type Mode } from "../board/camera";
import type { Decision } from "../protocol";
import { hand, readyAnswer, useDraft } from "./draft";
import { draws } from "./moving";
import { useSettings } from "../settings";
import { entries } from "./deeds";
import { hurry, question, say, useTable } from "./store";
import { ui, useUi } from "./ui";

const MODES: Mode[] = ["map", "orbit", "eye"];
/** The manner of a leg; no letter for what a game may add. */
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function listen(): () => void {
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

function press(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (target.matches("input:not([type=radio]):not([type=checkbox]), textarea, select") || event.ctrlKey || event.metaKey) return;
  const state = useTable.getState();
  const ask = question(state);
  if (event.key === " " && (state.showing || !target.matches("button, a"))) {
    hurry();
    return event.preventDefault();
  }
  if ((ask && answerKey(event, ask)) || commonKey(event)) event.preventDefault();
}

function commonKey(event: KeyboardEvent): boolean {
  const { view } = useTable.getState();
  switch (event.key) {
    case "Escape":
      escape();
      return true;
    case "u":
    case "U":
      if (view?.may_undo) say.undo();
      return true;
    case "m":
    case "M":
      ui.measure(!useUi.getState().measuring);
      return true;
    case "h":
    case "H":
      void hand.hint();
      return true;
    case "v":
    case "V":
      nextView();
      return true;
    case "?":
      ui.set({ sheet: useUi.getState().sheet === "keys" ? null : "keys" });
      return true;
    case "Tab":
      return nextUnit(event);
    default:
      return false;
  }
}

function escape(): void {
  const state = useUi.getState();
  if (state.sheet) ui.set({ sheet: null });
  else if (state.measuring) ui.measure(false);
  else if (useDraft.getState().touched || useDraft.getState().picked.length) hand.clear();
  else ui.select(null);
}

function nextView(): void {
  const { view } = useTable.getState();
  const { selected } = useUi.getState();
  const piece = view?.picture.pieces.find((p) => p.unit === selected) ?? view?.picture.pieces[0] ?? null;
  if (view) look(MODES[(MODES.indexOf(useCamera.getState().mode) + 1) % MODES.length]!, view.picture, piece);
}

/** Tab goes through the units on the table while nothing else has the focus; from a control it moves on as everywhere. */
function nextUnit(event: KeyboardEvent): boolean {
  if (document.activeElement && document.activeElement !== document.body) return false;
  const { view } = useTable.getState();
  const ask = question(useTable.getState());
  if (ask && "options" in ask) {
    hand.focus(useDraft.getState().focus + (event.shiftKey ? -1 : 1));
    return true;
  }
  const cards = view?.picture.cards.filter((c) => !c.dead && !c.away) ?? [];
  if (!cards.length) return false;
  const at = cards.findIndex((c) => c.id === useUi.getState().selected);
  ui.select(cards[(at + (event.shiftKey ? -1 : 1) + cards.length) % cards.length]!.id);
  return true;
}

function answerKey(event: KeyboardEvent, ask: Decision): boolean {
  const draft = useDraft.getState();
  const arrow = ARROWS[event.key];
  if (event.key === "Enter") {
    const target = event.target as HTMLElement;
    // What has been picked is confirmed, not unpicked again; with too little picked the button that has the focus is pressed.
    const pickable = ask.kind === "dice" ? ".answers .option" : ".answers .option[aria-pressed]";
    const picking = target.matches(pickable) && readyAnswer(draft) !== undefined;
    if (!picking && target.matches("button, a, summary")) return false;
    hand.commit();
    return true;
  }
  if (event.key === "s" || event.key === "S") {
    void hand.suggest();
    return true;
  }
  const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : -1;
  switch (ask.kind) {
    case "choose":
    case "choose-several":
      if (digit > 0 && ask.kind === "choose") {
        const entry = entries(ask, useUi.getState().selected, useSettings.getState().flat)[digit - 1];
        if (!entry) return false;
        if (entry.index === null) ui.select(entry.unit);
        else say.answer(ask.options[entry.index]!.id);
        return true;
      }
      if (digit > 0 && ask.options[digit - 1]) {
        if (ask.kind === "choose-several" && ask.most === 1) say.answer([ask.options[digit - 1]!.id]);
        else hand.toggle(ask.options[digit - 1]!.id);
        return true;
      }
      if (arrow) {
        hand.focus(draft.focus + (arrow[0] || -arrow[1]));
        return true;
      }
      if (ask.kind === "choose-several" && event.key === "x") {
        hand.toggle(ask.options[draft.focus]!.id);
        return true;
      }
      return false;
    case "order":
      if (!arrow) return false;
      if (event.shiftKey) hand.shift(draft.focus, arrow[0] || -arrow[1]);
      else hand.focus(draft.focus + (arrow[0] || -arrow[1]));
      return true;
    case "split": {
      const parts = Object.keys(ask.parts);
      if (!arrow) return false;
      if (arrow[1]) useDraft.setState({ focus: (draft.focus - arrow[1] + parts.length) % parts.length });
      else {
        const part = parts[draft.focus]!;
        const [least, most] = ask.parts[part]!;
        hand.share(part, Math.min(most, Math.max(least, (draft.shares[part] ?? 0) + arrow[0])));
      }
      return true;
    }
    case "confirm":
      if (event.key === "y" || digit === 1) say.answer(true);
      else if (event.key === "n" || digit === 2) say.answer(false);
      else return false;
      return true;
    case "dice":
      if (event.key === "Backspace") hand.faces(draft.faces.slice(0, -1));
      else if (digit > 0 && digit <= ask.sides && draft.faces.length < ask.count) hand.faces([...draft.faces, digit]);
      else return false;
      return true;
    case "face":
      if (!arrow) return false;
      hand.face(draft.angle + (arrow[0] || arrow[1]) * (event.shiftKey ? 1 : 5));
      return true;
    case "place":
    case "move": {
      const step = event.shiftKey ? 0.1 : 0.5;
      if (arrow) hand.nudge(arrow[0] * step, arrow[1] * step);
      else if (event.key === "[" || event.key === "{") hand.turn(event.shiftKey ? -5 : -15);
      else if (event.key === "]" || event.key === "}") hand.turn(event.shiftKey ? 5 : 15);
      else if (event.key === "+" || event.key === "=") hand.widen(1);
      else if (event.key === "-") hand.widen(-1);
      else if (event.key === "w" || event.key === "W") hand.waypoint();
      else if (event.key === "Backspace") hand.dropLeg();
      else if (event.key === "PageUp" || event.key === "PageDown") hand.lift(event.key === "PageUp");
      else if (event.key === "a" || event.key === "A") hand.how("");
      else if (digit > 0 && draft.move && draws(draft.move) && draft.move.form.manners[digit - 1]) hand.how(draft.move.form.manners[digit - 1]!.id);
      else if (event.key === "0" && ask.default !== undefined) say.answer(ask.default);
      else return false;
      return true;
    }
    case "declare":
      return false;
  }
}
