import { useMemo, useRef, useState } from "react";
import { hand, readyAnswer, useDraft } from "../table/draft";
import { leading, turning } from "../table/formation";
import { draws, manoeuvres, type MoveDraft } from "../table/moving";
import { useSettings } from "../settings";
import { useAhead } from "../table/ahead";
import { deedsOf, entries, unitFirst } from "../table/deeds";
import { question, say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import type { Choose, ChooseSeveral, Decision, Json, Manner, Option, Order, Split, TypeDice } from "../protocol";
import { sentence, useText } from "../text";
import { Declaring } from "./Declaring";
import { Die } from "./Dice";
import { Then } from "./Then";

/** The legal answers below the table, each with its key. */
export function Answers({ hints = true }: { hints?: boolean }) {
  const { t } = useText();
  const ask = useTable(question);
  const view = useTable((s) => s.view)!;
  const showing = useTable((s) => s.showing);
  const looking = useTable((s) => s.recap !== null);
  return (
    <div className="answers" role="group" data-kind={ask?.kind ?? ""} data-answers={view.answers} data-over={!!view.outcome}>
      {ask && <Kind ask={ask} />}
      {ask && ask.kind !== "choose" && ask.kind !== "confirm" && ask.kind !== "dice" && (
        <button className="plain" onClick={() => void hand.suggest()} data-suggest>{t("suggest")} <kbd>S</kbd></button>
      )}
      <span className="helps">
        {ask && hints && <button className="plain" onClick={() => void hand.hint()}>{t("hint")} <kbd>H</kbd></button>}
        {view.may_undo && !view.outcome && !showing && !looking && <button className="plain" onClick={say.undo}>{t("undo")} <kbd>U</kbd></button>}
      </span>
    </div>
  );
}

function Kind({ ask }: { ask: Decision }) {
  switch (ask.kind) {
    case "choose":
      return <ChooseOne ask={ask} />;
    case "choose-several":
      return <Several ask={ask} />;
    case "order":
      return <OrderList ask={ask} />;
    case "split":
      return <Shares ask={ask} />;
    case "confirm":
      return <YesNo />;
    case "dice":
      return <TypeFaces ask={ask} />;
    case "declare":
      return <Declaring ask={ask} />;
    case "face":
    case "place":
    case "move":
      return <Spatial ask={ask} />;
  }
}

function OptionButton({ option, index, key1 = index, words, on, focused, onPick }: { option: Option; index: number; key1?: number; words?: string; on?: boolean; focused: boolean; onPick: (touch: boolean) => void }) {
  const { tx } = useText();
  const follows = useAhead((s) => s.ahead[option.id]);
  const tapped = useDraft((s) => s.tapped === index);
  const [hovered, setHovered] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const pick = (touch: boolean) => (touch && follows && !tapped ? hand.tap(index) : onPick(touch)); // a finger cannot hover
  return (
    // Only where the mouse has moved: what comes to lie under a hand that rests opens nothing.
    <span className="deed" onPointerMove={(e) => (e.movementX || e.movementY) && setHovered(e.pointerType === "mouse")} onPointerLeave={() => setHovered(false)}>
      <button
        ref={button}
        className={`option${focused ? " focused" : ""}${on ? " on" : ""}`}
        aria-pressed={on}
        aria-haspopup={follows ? "true" : undefined}
        data-option={option.id}
        onClick={(e) => pick((e.nativeEvent as PointerEvent).pointerType === "touch")}
        onPointerEnter={() => hand.focus(index)}
        onFocus={() => hand.focus(index)}
      >
        {key1 < 9 && <kbd>{key1 + 1}</kbd>}
        {sentence(words ?? (tx(option.label) || option.id))}
        {follows && <i className="onward" aria-hidden="true">▸</i>}
      </button>
      {follows && (hovered || tapped) && <Then option={option} follows={follows} over={button.current} />}
    </span>
  );
}

function ChooseOne({ ask }: { ask: Choose }) {
  const { t, tx } = useText();
  const focus = useDraft((s) => s.focus);
  const selected = useUi((s) => s.selected);
  const { flat, set } = useSettings();
  const cards = useTable((s) => s.view!.picture.cards);
  const first = unitFirst(ask);
  const shown = entries(ask, selected, flat);
  const groups = shown.some((entry) => entry.among);
  const open = first && !flat && !groups && selected !== null && deedsOf(ask).has(selected);
  const name = (unit: string | null) => tx(cards.find((c) => c.id === unit)?.name) || "";
  const deed = (index: number, place: number, named: boolean) => {
    const option = ask.options[index]!;
    const words = named && option.deed ? tx(option.deed) : undefined;
    return <OptionButton key={option.id} option={option} index={index} key1={place} words={words} focused={index === focus} onPick={(touch) => (!touch || !option.refs?.length || hand.tap(index)) && say.answer(option.id)} />;
  };
  return (
    <>
      {open && <button className="plain unit" onClick={() => ui.select(null)} aria-label={t("otherUnits")}>‹ {name(selected)}</button>}
      {groups && [...deedsOf(ask)].map(([unit, list]) => (
        <span key={unit} className={unit === selected ? "group chosen" : "group"} role="group" aria-label={name(unit)} onPointerEnter={() => ui.hover(unit)}>
          <button className="quiet" onClick={() => ui.select(unit)} data-unit={unit}>{name(unit)}</button>
          {list.map((index) => deed(index, shown.findIndex((entry) => entry.index === index), true))}
        </span>
      ))}
      {shown.map(({ index, unit, among }, i) => {
        if (among) return null;
        if (index === null)
          return (
            <button key={unit} className="option unit" data-unit={unit} onClick={() => ui.select(unit)} onPointerEnter={() => ui.hover(unit)}>
              {i < 9 && <kbd>{i + 1}</kbd>}
              {name(unit)} <small>{deedsOf(ask).get(unit!)!.length}</small>
            </button>
          );
        return deed(index, i, open);
      })}
      {first && <button className="quiet" aria-pressed={flat} onClick={() => set({ flat: !flat })}>{t(flat ? "unitsFirst" : "allDeeds", { n: ask.options.length })}</button>}
    </>
  );
}

export function Ready({ word }: { word: "confirm" | "nobody" | "moveHere" | "placeHere" | "faceHere" | "nearestHere" }) {
  const { t } = useText();
  const ready = useDraft((s) => readyAnswer(s) !== undefined);
  return (
    <button className="brass" disabled={!ready} onClick={hand.commit} data-commit>
      {t(word)} <kbd>↵</kbd>
    </button>
  );
}

/** More models than this are not a row of buttons: they are clicked where they stand. */
const MOST_BUTTONS = 6;

function Several({ ask }: { ask: ChooseSeveral }) {
  const { t } = useText();
  const { focus, picked } = useDraft();
  const pieces = useTable((s) => s.view!.picture.pieces);
  const { flat, set } = useSettings();
  const models = useMemo(() => {
    const known = new Set(pieces.map((piece) => piece.id));
    return ask.options.length > MOST_BUTTONS && ask.options.every((option) => known.has(option.id) || (option.refs?.length === 1 && known.has(option.refs[0]!)));
  }, [ask, pieces]);
  return (
    <>
      {models && <span className="count">{t("clickModels")}</span>}
      {models && <button className="quiet" data-all-options aria-pressed={flat} onClick={() => set({ flat: !flat })}>{flat ? t("onTable") : t("allDeeds", { n: ask.options.length })}</button>}
      {(!models || flat) && ask.options.map((option, i) => (
        <OptionButton key={option.id} option={option} index={i} focused={i === focus} on={picked.includes(option.id)} onPick={(touch) => (ask.most === 1 && !touch ? say.answer([option.id]) : hand.toggle(option.id))} />
      ))}
      {ask.most > 1 && <span className="count">{t("chosen", { n: picked.length, of: ask.least === ask.most ? ask.most : `${ask.least}–${ask.most}` })}</span>}
      <Ready word={ask.most === 1 && ask.least === 0 && !picked.length ? "nobody" : "confirm"} />
    </>
  );
}

function OrderList({ ask }: { ask: Order }) {
  const { t, tx } = useText();
  const { picked, focus } = useDraft();
  const names = new Map(ask.options.map((o) => [o.id, o]));
  return (
    <>
      <ol className="order">
        {picked.map((id, i) => (
          <li
            key={id}
            className={i === focus ? "focused" : ""}
            draggable
            onDragStart={(e) => e.dataTransfer.setData("text/plain", String(i))}
            onDragOver={(e) => e.preventDefault()}
            onDrop={(e) => {
              e.preventDefault();
              const from = Number(e.dataTransfer.getData("text/plain"));
              hand.shift(from, i - from);
            }}
          >
            <span>{i + 1}. {tx(names.get(id)?.label) || id}</span>
            <button className="quiet" aria-label={t("up")} onClick={() => hand.shift(i, -1)}>▲</button>
            <button className="quiet" aria-label={t("down")} onClick={() => hand.shift(i, 1)}>▼</button>
          </li>
        ))}
      </ol>
      <Ready word="confirm" />
    </>
  );
}

function Shares({ ask }: { ask: Split }) {
  const { t, tx } = useText();
  const { shares, focus } = useDraft();
  const cards = useTable((s) => s.view!.picture.cards);
  const left = ask.total - Object.values(shares).reduce((a, b) => a + b, 0);
  return (
    <>
      {Object.entries(ask.parts).map(([part, [least, most]], i) => (
        <label key={part} className={i === focus ? "share focused" : "share"}>
          {tx(cards.find((c) => c.id === part || c.pieces.includes(part))?.name) || part}
          <button className="quiet" onClick={() => hand.share(part, Math.max(least, (shares[part] ?? 0) - 1))}>−</button>
          <b>{shares[part] ?? 0}</b>
          <button className="quiet" onClick={() => hand.share(part, Math.min(most, (shares[part] ?? 0) + 1))}>+</button>
        </label>
      ))}
      <span className="count">{t("left", { n: left })}</span>
      <Ready word="confirm" />
    </>
  );
}

function YesNo() {
  const { t } = useText();
  return (
    <>
      <button className="option" onClick={() => say.answer(true)} data-option="true"><kbd>1</kbd>{t("yes")}</button>
      <button className="option" onClick={() => say.answer(false)} data-option="false"><kbd>2</kbd>{t("no")}</button>
    </>
  );
}

function TypeFaces({ ask }: { ask: TypeDice }) {
  const { t } = useText();
  const faces = useDraft((s) => s.faces);
  return (
    <>
      <span className="count">{t("typeDice")} {faces.length}/{ask.count}</span>
      {faces.map((face, i) => (
        <Die key={i} face={face} sides={ask.sides} />
      ))}
      {Array.from({ length: ask.sides }, (_, i) => i + 1).map((face) => (
        <button key={face} className="option" disabled={faces.length >= ask.count} onClick={() => hand.faces([...faces, face])}>{face}</button>
      ))}
      <button className="plain" disabled={!faces.length} onClick={() => hand.faces(faces.slice(0, -1))}>⌫</button>
      <Ready word="confirm" />
    </>
  );
}

/** Is it to stay where it is that is offered, not a place? */
const stays = (answer: Json) => typeof answer !== "object" || answer === null || !("to" in answer || "path" in answer);

function Spatial({ ask }: { ask: Extract<Decision, { kind: "face" | "place" | "move" }> }) {
  const { t } = useText();
  const { ruling, touched, alone, move } = useDraft();
  const fallback = ruling && !ruling.legal && touched;
  const word = fallback ? "nearestHere" : ask.kind === "move" ? "moveHere" : ask.kind === "place" ? "placeHere" : "faceHere";
  return (
    <>
      <Ready word={word} />
      {ask.default !== undefined && ask.kind === "move" && (
        <button className="plain" onClick={() => say.answer(ask.default)} data-option="default">{t(stays(ask.default) ? "stay" : "asProposed")} <kbd>0</kbd></button>
      )}
      {move?.form.files && move.files !== null && (
        <span className="share">
          {t("files")}
          <button className="quiet" onClick={() => hand.widen(-1)} aria-label={`${t("files")} −`}>−</button>
          <b>{move.files}</b>
          <button className="quiet" onClick={() => hand.widen(1)} aria-label={`${t("files")} +`}>+</button>
        </span>
      )}
      {move && draws(move) && <Manners move={move} />}
      {move && manoeuvres(move) && <Drill manners={move.form.manners} />}
      {move && draws(move) && <button className="plain" disabled={!touched} onClick={hand.waypoint}>{t("waypoint")} <kbd>W</kbd></button>}
      {move && move.pieces.length > 1 && move.form.ways.includes("models") && (
        <button className="plain" aria-pressed={alone} onClick={() => hand.alone(!alone)}>{t(alone ? "oneModel" : "wholeUnit")}</button>
      )}
      {touched && <button className="plain" onClick={hand.clear}>{t("clear")} <kbd>Esc</kbd></button>}
    </>
  );
}

/** How the leg in hand is made. */
function Manners({ move }: { move: MoveDraft }) {
  const { t, tx } = useText();
  if (!move.form.manners.length) return null;
  return (
    <span className="seg" role="group" aria-label={t("manner")}>
      {[{ id: "", label: null }, ...move.form.manners].map(({ id, label }, i) => (
        <button key={id} aria-pressed={move.how === id} onClick={() => hand.how(id)} data-how={id} title={id ? undefined : t("anyWaySays")}>
          {label ? sentence(tx(label)) : t("anyWay")} <kbd>{i ? i : "A"}</kbd>
        </button>
      ))}
    </span>
  );
}

/** Manoeuvres one by one, an inch or fifteen degrees at a time. */
function Drill({ manners }: { manners: Manner[] }) {
  const { tx } = useText();
  const turns = turning(manners);
  const buttons = [
    ...(turns ? [[turns, -15, "↶"] as const] : []),
    ...([[270, "←"], [0, "↑"], [180, "↓"], [90, "→"]] as const).flatMap(([towards, sign]) => {
      const manner = leading(manners, towards);
      return manner ? [[manner, 1, sign] as const] : [];
    }),
    ...(turns ? [[turns, 15, "↷"] as const] : []),
  ];
  return (
    <span className="seg" role="group" aria-label={buttons.map(([manner]) => tx(manner.label)).join(" ")}>
      {buttons.map(([manner, amount, sign]) => {
        const word = `${sentence(tx(manner.label))} ${manner.by === "degrees" ? `${Math.abs(amount)}°` : `${amount}"`}`;
        return <button key={sign} onClick={() => hand.drill(manner.id, amount)} aria-label={word} title={word} data-drill={manner.id}>{sign}</button>;
      })}
    </span>
  );
}
