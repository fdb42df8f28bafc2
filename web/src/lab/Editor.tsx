/** The text of the scene, always in sight; what is wrong, and what was ruled, stands beside its line. */
import { useEffect, useRef, useState } from "react";
import { useText } from "../text";
import { lab, useLab } from "./lab";
import { useLabWords } from "./words";

interface Note {
  line: number;
  kind: "wrong" | "legal" | "refused";
  text: string;
}

/** What is to be said beside the lines, the gravest first. */
function useNotes(): Note[] {
  const { tx } = useText();
  const w = useLabWords();
  const found = useLab((s) => s.found);
  if (!found) return [];
  if (found.error) return [{ line: found.error.line, kind: "wrong", text: tx(found.error.text) }];
  const notes: Note[] = found.failures.map((f) => ({ line: f.line, kind: "wrong", text: `${w("unmet")}: ${tx(f.text)}` }));
  if (found.stopped) notes.push({ line: found.stopped.line, kind: "wrong", text: `${w("ended")}: ${tx(found.stopped.text)}` });
  for (const ruling of found.rulings)
    notes.push(ruling.legal ? { line: ruling.line, kind: "legal", text: `✓ ${w("legal")}` } : { line: ruling.line, kind: "refused", text: `✗ ${ruling.reasons.map((r) => tx(r.text)).join("; ")}` });
  return notes;
}

const HEIGHT = 20;
/** Beside a line no longer than this there is room for words; beside a longer one a sign stands, the words when it is pointed at. */
const ROOM = 18;

export function Editor() {
  const w = useLabWords();
  const text = useLab((s) => s.text);
  const busy = useLab((s) => s.busy);
  const notes = useNotes();
  const [top, setTop] = useState(0);
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split("\n");
  const wrong = notes.find((note) => note.kind === "wrong");
  const marks = new Map<number, Note>();
  for (const note of notes) if (!marks.has(note.line)) marks.set(note.line, note);

  // A line with something wrong in it comes into sight.
  const at = wrong?.line ?? 0;
  useEffect(() => {
    const box = area.current;
    if (!box || !at) return;
    const y = (at - 1) * HEIGHT;
    if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - HEIGHT) box.scrollTop = Math.max(0, y - box.clientHeight / 2);
  }, [at]);

  return (
    <div className="editor" aria-busy={busy}>
      <div className="gutter" aria-hidden="true">
        <div style={{ transform: `translateY(${-top}px)` }}>
          {lines.map((_, n) => (
            <span key={n} data-note={marks.get(n + 1)?.kind}>{n + 1}</span>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        value={text}
        onChange={(e) => lab.type(e.target.value)}
        onScroll={(e) => setTop(e.currentTarget.scrollTop)}
        spellCheck={false}
        autoCapitalize="off"
        wrap="off"
        aria-label={w("text")}
        aria-invalid={!!wrong}
      />
      <div className="margin" aria-hidden="true">
        {[...marks.values()].filter((note) => note.line > 0).map((note) => (
          <p key={note.line} data-note={note.kind} className={(lines[note.line - 1]?.length ?? 0) > ROOM ? "short" : undefined} style={{ top: (note.line - 1) * HEIGHT - top + 5 }} title={note.text}>{note.text}</p>
        ))}
      </div>
      {wrong && (
        <p className="wrong" role="alert" onClick={() => area.current?.focus()}>
          {wrong.line > 0 && <b>{w("line", { n: wrong.line })} · </b>}
          {wrong.text}
        </p>
      )}
    </div>
  );
}
