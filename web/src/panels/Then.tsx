import { useLayoutEffect, useRef } from "react";
import type { Follows, Option } from "../protocol";
import { answerOf, giveAll } from "../table/ahead";
import { preview } from "../table/draft";
import { branches, type Branch } from "../table/following";
import { ui } from "../table/ui";
import { sentence, useText } from "../text";

/** What an option leads to at once: chosen here, both are answered by one click. */
export function Then({ option, follows, over }: { option: Option; follows: Follows; over?: HTMLElement | null }) {
  const { tx } = useText();
  const box = useRef<HTMLDivElement>(null);
  // Over its option, inside the window: the row of options scrolls and would cut it off.
  useLayoutEffect(() => {
    const own = box.current;
    if (!own || !over) return;
    const at = over.getBoundingClientRect();
    own.style.left = `${Math.max(4, Math.min(innerWidth - own.offsetWidth - 4, at.left))}px`;
    own.style.bottom = `${innerHeight - at.top}px`;
  }, [over]);
  return (
    <div ref={box} className={over ? "then over" : "then"} role="group" aria-label={tx(follows.ask.prompt)}>
      <small>{sentence(tx(follows.ask.prompt))}</small>
      {branches(follows).map((one) => (
        <span key={one.option.id} className="branch">
          <Way option={option} way={one} />
          {one.further.map((next) => <Way key={next.option.id} option={option} way={next} further />)}
        </span>
      ))}
    </div>
  );
}

function Way({ option, way, further }: { option: Option; way: Branch; further?: boolean }) {
  const { tx } = useText();
  const answers = way.steps.map((step) => step.answer);
  function look() {
    ui.hover(way.option.refs?.[0] ?? null);
    void preview(answers.at(-1), [answerOf(option.id), ...answers.slice(0, -1)]);
  }
  return (
    <button
      className={further ? "way further" : "way"}
      data-then={way.steps.map((step) => String(step.answer)).join(" ")}
      onPointerEnter={look}
      onFocus={look}
      onPointerLeave={() => ui.hover(null)}
      onClick={() => giveAll(option.id, way.steps)}
    >
      {sentence(tx(way.option.deed ?? way.option.label))}
    </button>
  );
}
