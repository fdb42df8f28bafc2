/** The answer that is being made: what is focused, picked or dragged, and the umpire's word on it so far. */
import { create } from "zustand";
import { floorsAt } from "../board/pick";
import type { Decision, Json, Leg, Moved, Odds, Part, Region, Ruling, Text } from "../protocol";
import {
  addWaypoint, answerOf, begin, draws, drill, dropLeg, isMoving, lift, manoeuvres, nudge, reforms, sendTo, setHow, spelt, stood, stretch, turn, widen, type MoveDraft,
} from "./moving";
import { useSettings } from "../settings";
import { sound } from "./sound";
import { question, say, useTable } from "./store";
import { straight, wheeled } from "./wheeling";

interface DraftState {
  decision: Decision | null;
  focus: number;
  /** The option that a finger has touched last. */
  tapped: number;
  picked: string[];
  shares: Record<string, number>;
  /** A declaration, part by part. */
  parts: Part[];
  faces: number[];
  angle: number;
  move: MoveDraft | null;
  /** One model of a unit is moved, not all of it. */
  alone: boolean;
  touched: boolean;
  /** The answer that Enter would give: legal as far as the umpire has said. */
  good: Json;
  ruling: Ruling | null;
  checking: boolean;
  odds: Odds | null;
  regions: Region[];
  hint: Text | null;
  /** The answer that the hint spoke of. */
  hinted: Json;
  /** The computer was asked for a hint, and thinks. */
  pondering: boolean;
}

const blank: DraftState = {
  decision: null,
  focus: 0,
  tapped: -1,
  picked: [],
  shares: {},
  parts: [],
  faces: [],
  angle: 0,
  move: null,
  alone: false,
  touched: false,
  good: null,
  ruling: null,
  checking: false,
  odds: null,
  regions: [],
  hint: null,
  hinted: undefined,
  pondering: false,
};

export const useDraft = create<DraftState>(() => blank);
const { setState: set, getState: get } = useDraft;

/** A new question: what is asked for at once is fetched, and nothing is left of the one before. */
export function open(decision: Decision | null): void {
  set({ ...blank, decision });
  asking.clear();
  if (!decision) return;
  const picture = useTable.getState().view!.picture;
  const still = () => get().decision === decision;
  if (decision.kind === "order") set({ picked: decision.options.map((o) => o.id) });
  if (decision.kind === "split")
    set({ shares: Object.fromEntries(Object.entries(decision.parts).map(([part, [least]]) => [part, least])) });
  if (decision.kind === "dice") set({ faces: [] });
  if (decision.kind === "choose" && decision.default) set({ focus: Math.max(0, decision.options.findIndex((o) => o.id === decision.default)) });
  weigh();
  if (decision.kind === "face") {
    const about = picture.pieces.find((p) => p.id === decision.about || p.unit === decision.about);
    set({ angle: decision.default ?? about?.facing ?? 0 });
    void judge(get().angle);
  }
  if (decision.kind === "face" || isMoving(decision)) void say.reach().then((found) => still() && set({ regions: found ?? [] }));
  if (isMoving(decision)) set({ move: begin(decision, picture), good: decision.default ?? null });
  if (decision.kind === "declare") hand.declare(decision.default);
  if ((decision.kind === "choose-several" || decision.kind === "split") && decision.default) take(decision.default);
}

/** Only the last wish matters: one check is on its way at a time. */
const asking = {
  busy: false,
  next: undefined as { answer: Json } | undefined,
  /** The answer is to be given as soon as it is found legal. */
  commit: false,
  /** It was let go of: that is an answer where nothing is at stake. */
  dropped: false,
  /** So many inches from there it may end. */
  near: 0,
  clear() {
    this.next = undefined;
    this.commit = this.dropped = false;
  },
};

async function judge(answer: Json): Promise<void> {
  if (asking.busy) {
    asking.next = { answer };
    return;
  }
  asking.busy = true;
  set({ checking: true });
  const { decision } = get();
  const ruling = await say.check(answer);
  asking.busy = false;
  if (get().decision === decision && ruling) {
    const good = ruling.legal ? answer : (ruling.nearest ?? null);
    const { move } = get();
    // What was drilled stands where the umpire says; what is carried goes on with the hand.
    const placed = move && !asking.next && ruling.legal && (move.legs.length > 0 || move.form.files) ? stood(move, ruling) : move;
    set({ ruling, good, odds: ruling.odds, move: placed });
  }
  const next = asking.next;
  asking.next = undefined;
  set({ checking: !!next });
  if (next) void judge(next.answer);
  else if (asking.dropped) settle();
  else if (asking.commit && get().ruling?.legal) hand.commit();
  else asking.commit = false;
}

/** A hand that lets go so many inches beyond the furthest legal place has meant that place; and one that has led a unit onto
 *  another, where it finds room beside it. */
const OVERSHOT = 1;
export const BESIDE_IT = 4;

/** What was let go of on a legal place has moved there, in every game and whatever its way, unless dice or a fall may come
 *  of it, its models are moved one by one, or its ranks are formed anew where it stands. */
function settle(): void {
  asking.dropped = false;
  const { ruling, move, alone } = get();
  if (ruling && !ruling.legal && ruling.nearest && ruling.lead && move && !alone && Math.hypot(ruling.lead.x - move.lead.x, ruling.lead.y - move.lead.y) <= asking.near) {
    asking.dropped = true;
    return void judge(ruling.nearest);
  }
  if (ruling && !ruling.legal) sound.stamp();
  const risky = !ruling?.legal || ruling.odds?.lines.some((line) => line.chance) || Object.values(ruling.path).some((legs) => legs.some((leg) => leg.drop));
  if (!risky && move && !alone && !reforms(move, useTable.getState().view!.picture)) hand.commit();
}

let latest = 0;
/** The odds of an answer that is offered as it stands. */
export async function preview(answer: Json, first: Json[] = []): Promise<void> {
  const mine = ++latest;
  const { decision } = get();
  const ruling = await say.check(answer, first);
  if (mine === latest && get().decision === decision) set({ odds: ruling?.odds ?? null });
}

/** The odds of what Enter would answer now, where they can be told before the umpire is asked. */
function weigh(): void {
  const { decision, focus } = get();
  const kind = decision?.kind;
  const one = kind === "choose-several" && decision?.kind === "choose-several" && decision.most === 1;
  if (kind !== "choose" && kind !== "order" && kind !== "split" && !one) return;
  const answer = one ? [decision.options[focus]?.id] : readyAnswer(get());
  if (answer !== undefined) void preview(answer);
  else {
    latest++;
    set({ odds: null });
  }
}

function wish(move: MoveDraft): void {
  set({ move, touched: true });
  void judge(answerOf(move));
}

/** Manoeuvres go on from where the hand has carried a block: the umpire has spelt that way out. */
const change = (how: (move: MoveDraft) => MoveDraft) => {
  const { move, ruling, touched } = get();
  if (move) wish(how(touched && ruling && manoeuvres(move) && !move.legs.length ? spelt(move, ruling) : move));
};

/** What is moved, where it is drawn: as wished, or as far as that is legal. */
export function shown({ move, ruling, touched }: Pick<DraftState, "move" | "ruling" | "touched">): MoveDraft | null {
  return move && touched && ruling && !ruling.legal ? stood(move, ruling) : move;
}

export const hand = {
  focus(index: number) {
    const { decision, focus } = get();
    if (!decision || !("options" in decision)) return;
    const next = (index + decision.options.length) % Math.max(1, decision.options.length);
    if (next === focus) return;
    const weighed = decision.kind === "choose" || (decision.kind === "choose-several" && decision.most === 1);
    set(weighed ? { focus: next, odds: null } : { focus: next });
    if (weighed) weigh();
  },
  /** A finger cannot hover: its first touch shows the odds, the second (true) commits. */
  tap(index: number): boolean {
    const again = get().tapped === index;
    set({ tapped: index });
    hand.focus(index);
    return again;
  },
  toggle(id: string) {
    const only = (d: Decision | null) => d?.kind === "choose-several" && d.most === 1;
    set(({ picked, decision }) => ({
      picked: picked.includes(id) ? picked.filter((p) => p !== id) : only(decision) ? [id] : [...picked, id],
    }));
    hand.pick(get().picked);
  },
  /** These and no others, with the umpire's word on them once they are as many as there have to be. */
  pick(picked: string[]) {
    const { decision } = get();
    set({ picked });
    if (decision?.kind !== "choose-several") return;
    if (picked.length >= decision.least && picked.length <= decision.most) void judge(picked);
    else set({ ruling: null });
  },
  shift(index: number, by: number) {
    set(({ picked }) => {
      const to = index + by;
      if (to < 0 || to >= picked.length) return {};
      const order = [...picked];
      order.splice(to, 0, ...order.splice(index, 1));
      return { picked: order, focus: to };
    });
    weigh();
  },
  share(part: string, value: number) {
    set(({ shares }) => ({ shares: { ...shares, [part]: value } }));
    weigh();
  },
  declare(parts: Part[]) {
    set({ parts, touched: true });
    void judge(parts);
  },
  faces: (faces: number[]) => set({ faces }),
  face(angle: number) {
    set({ angle: Math.round((((angle % 360) + 360) % 360) * 10) / 10, touched: true });
    void judge(get().angle);
  },
  alone: (alone: boolean) => set({ alone }),
  sendTo: (to: { x: number; y: number; z?: number }, grab?: string) => {
    const { move, alone } = get();
    if (move) wish(sendTo(move, to, grab, alone));
  },
  /** A block that has been wheeled, or is kept in hand after a leg; null where its move has no leg yet, or comes on by an edge. */
  midway(): MoveDraft | null {
    const { move, touched, alone } = get();
    if (!move || !touched || alone || !manoeuvres(move) || move.form.edges.length) return null;
    const legs = hand.legs();
    return move.legs.length ? { ...(shown(get()) ?? move), legs } : null;
  },
  /** It is led straight on from there: forward, or to a side or back where it may. */
  onward(before: MoveDraft, dx: number, dy: number) {
    wish(straight(before, dx, dy));
  },
  /** The leg is done, and the hand will go on with another. */
  keep() {
    const { move } = get();
    if (move && manoeuvres(move)) change((m) => m);
    else hand.waypoint();
  },
  /** What was moved is clicked once more where it now stands: that is where it goes. */
  done() {
    if (get().touched) hand.commit();
  },
  /** The hand has let go of what it carried. */
  drop(near = OVERSHOT) {
    if (!useSettings.getState().dropMoves || !isMoving(get().decision) || !get().touched) return;
    asking.dropped = true;
    asking.near = near;
    if (!get().checking) settle();
  },
  nudge: (dx: number, dy: number) => change((m) => nudge(m, dx, dy)),
  turn: (degrees: number) => change((m) => turn(m, degrees)),
  widen: (by: number) => change((m) => widen(m, by)),
  /** The leg in hand is done, as far as the umpire allows it; another begins. */
  waypoint: () => {
    const { move, touched, checking, ruling } = get();
    if (!move || !draws(move) || !touched) return;
    set({ move: addWaypoint(move, checking ? undefined : (ruling?.spelt as Moved | null)?.path) });
  },
  how: (how: string, at?: number) => {
    const { move, touched } = get();
    if (!move?.form.manners.length && how) return;
    if (touched) change((m) => setHow(m, how, at));
    else if (move) set({ move: setHow(move, how) });
  },
  dropLeg: () => change(dropLeg),
  stretch: (at: number, by: number) => change((m) => stretch(m, at, by)),
  drill: (how: string, amount: number) => change((m) => drill(m, how, amount)),
  /** The manoeuvres so far, of a block that a hand has carried as the umpire has spelt them out. */
  legs(): Leg[] {
    const { move, ruling, touched } = get();
    if (!move) return [];
    return touched && ruling && (!ruling.legal || !move.legs.length) ? spelt(move, ruling).legs : move.legs;
  },
  wheel: (before: Leg[], degrees: number) => {
    const { move } = get();
    if (move) wish(wheeled(move, before, degrees));
  },
  lift: (up: boolean) => {
    const picture = useTable.getState().view!.picture;
    change((m) => lift(m, floorsAt(picture, m.lead.x, m.lead.y), up));
  },
  /** Back to how the question was put. */
  clear() {
    const { hint, hinted, pondering } = get();
    open(get().decision);
    set({ hint, hinted, pondering });
  },
  /** What the hint said, if one was asked for; otherwise what the umpire thinks of first. */
  async suggest() {
    const { decision, hinted } = get();
    const answer = hinted !== undefined ? hinted : await say.suggest();
    if (answer !== null && get().decision === decision) take(answer);
  },
  async hint() {
    const { decision, pondering } = get();
    if (!decision || pondering) return;
    set({ pondering: true });
    const hint = await say.hint();
    if (get().decision !== decision) return;
    set({ pondering: false });
    if (!hint) return;
    set({ hint: hint.text, hinted: hint.answer });
    take(hint.answer);
  },
  /** Give the answer as it stands. */
  commit() {
    // What lies there is not yet judged: it is given once it is found legal, never what lay there before.
    asking.commit = get().checking;
    const answer = readyAnswer(get());
    if (answer !== undefined && !asking.commit) say.answer(answer);
  },
};

/** Put an answer on the table without giving it. */
function take(answer: Json): void {
  const { decision } = get();
  if (!decision) return;
  if (isMoving(decision)) {
    set({ move: begin(decision, useTable.getState().view!.picture), touched: true, good: answer, ruling: null });
    void judge(answer).then(() => {
      const { move, ruling } = get();
      if (get().decision === decision && move && ruling) set({ move: spelt(stood(move, ruling), ruling) });
    });
  } else if (decision.kind === "choose") hand.focus(decision.options.findIndex((o) => o.id === answer));
  else if (decision.kind === "choose-several") hand.pick(answer as string[]);
  else if (decision.kind === "order") set({ picked: answer as string[] });
  else if (decision.kind === "split") set({ shares: answer as Record<string, number> });
  else if (decision.kind === "face") {
    set({ angle: answer as number, touched: true }); // as it was given: where only one facing is legal, a rounded one is not
    void judge(answer);
  }
  else if (decision.kind === "declare") hand.declare(answer as Part[]);
  else if (decision.kind === "dice") set({ faces: answer as number[] });
  if (decision.kind === "order" || decision.kind === "split") weigh();
}

/** What Enter would answer now; undefined where there is nothing to answer yet. */
export function readyAnswer(draft: DraftState): Json {
  const { decision } = draft;
  if (!decision) return undefined;
  switch (decision.kind) {
    case "choose":
      return decision.options[draft.focus]?.id;
    case "choose-several":
      return draft.picked.length >= decision.least && draft.picked.length <= decision.most ? draft.picked : undefined;
    case "order":
      return draft.picked;
    case "split":
      return Object.values(draft.shares).reduce((a, b) => a + b, 0) === decision.total ? draft.shares : undefined;
    case "dice":
      return draft.faces.length === decision.count ? draft.faces : undefined;
    case "confirm":
      return true;
    case "declare":
      return draft.parts;
    default:
      return draft.good ?? undefined;
  }
}

useTable.subscribe((state, before) => {
  const now = question(state);
  if (now !== question(before) && now !== get().decision) open(now);
});
