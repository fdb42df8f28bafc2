/** Mouse and fingers on the table: drag a piece, drag the table, pinch, turn, click. */
import type { Leg, Picture, Piece } from "../protocol";
import { BESIDE_IT, hand, shown, useDraft } from "../table/draft";
import { isMoving, type MoveDraft } from "../table/moving";
import { useSettings } from "../settings";
import { aims, giveAll } from "../table/ahead";
import { deedsOf, dragOf, unitFirst } from "../table/deeds";
import { askWhyNot, question, say, useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { arranging } from "../table/arranging";
import { cornerAt, corners, swung, type Corner } from "../table/wheeling";
import { useCamera, zoom } from "./camera";
import type { Drawn } from "./drawn";
import { pick, type Picked } from "./pick";
import { lens } from "./Rig";

interface Held {
  x: number;
  y: number;
  button: number;
  far: boolean;
  piece?: string;
  grip?: [number, number];
  /** The option that dragging chooses, and the piece that will then be dragged. */
  wish?: string;
  waits?: string;
  /** It took hold of a unit, and never of the table. */
  unit?: boolean;
  /** The unit that is led to another, at which it will do something. */
  aiming?: string;
  target?: string;
  /** Where its piece is to stand, if it is then moved. */
  spot?: { x: number; y: number; z: number };
  /** Where the hand is, and whether it is a mouse's, which needs no second touch. */
  at?: [number, number];
  mouse?: boolean;
  /** The corner of a block that is swung, and the manoeuvres before. */
  corner?: { corner: Corner; before: Leg[] };
  /** A block in mid-manoeuvre that is led straight on, and where it was taken hold of. */
  onward?: { before: MoveDraft; from: [number, number] };
  /** What is put elsewhere, whatever the rules say. */
  carried?: string;
  from?: [number, number];
}

/** So near to another a unit is put that was let go of on it, in inches. */
const BESIDE = 0.05;
/** So long a hand waits for the question that it was faster than, in milliseconds. */
const PATIENCE = 10_000;

/** Is a hand on the table? Then nothing moves under it. */
export const holding = { now: false };

export class Hands {
  private pointers = new Map<number, [number, number]>();
  private held: Held | null = null;
  private pinch = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly scene: () => { picture: Picture | null; drawn: Drawn; covered: Piece[] },
  ) {}

  private place(event: { clientX: number; clientY: number }): [number, number] {
    const rect = this.box.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  private under(x: number, y: number, without?: Set<string>, covered: Piece[] = []): Picked | null {
    const { picture, drawn } = this.scene();
    const ray = lens.ray(x, y);
    if (!picture || !ray) return null;
    const pieces = without ? drawn.pieces.filter((p) => !without.has(p.id)) : drawn.pieces;
    return pick(ray, picture, pieces, useCamera.getState().floors, covered);
  }

  /** What is taken hold of or looked at: what stands under a floor that has faded over it, too. */
  private found = (x: number, y: number): Picked | null => this.under(x, y, undefined, this.scene().covered);

  down = (event: PointerEvent) => {
    if ((event.target as HTMLElement).closest("button, input, label, select")) return;
    const [x, y] = this.place(event);
    this.box.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [x, y]);
    holding.now = true;
    if (this.pointers.size === 2) {
      this.held = null;
      this.pinch = this.spread();
      return;
    }
    const found = this.found(x, y);
    this.held = { x, y, button: event.button, far: false, mouse: event.pointerType === "mouse" };
    if (event.button !== 0 || useUi.getState().measuring) return;
    const loose = found && arranging.takes(found.piece ?? found.terrain ?? "");
    if (loose) {
      this.held = { ...this.held, carried: loose, from: [found.x, found.y] };
      return;
    }
    const ground = this.under(x, y, this.scene().drawn.movers);
    const corner = ground && cornerAt(corners(shown(useDraft.getState()), this.scene().drawn.pieces), ground.x, ground.y);
    if (corner) {
      this.held = { ...this.held, corner: { corner, before: hand.legs() } };
      return;
    }
    const mover = found && this.moverAt(found);
    if (mover) {
      this.held.piece = mover;
      const held = this.scene().drawn.pieces.find((p) => p.id === mover);
      this.held.grip = ground && held ? [held.x - ground.x, held.y - ground.y] : [0, 0];
      const before = ground && hand.midway();
      if (before) this.held.onward = { before, from: [ground.x, ground.y] };
      return;
    }
    const ask = question(useTable.getState());
    const unit = this.scene().picture?.pieces.find((p) => p.id === found?.piece)?.unit;
    const wish = ask?.kind === "choose" && unit ? dragOf(ask, unit) : undefined;
    if (wish && found?.piece) this.held = { ...this.held, wish: wish.id, waits: found.piece };
    else if (unit && found?.piece && aims(ask, unit).length) this.held = { ...this.held, aiming: unit, waits: found.piece, unit: true };
  };

  /** The piece that a hand takes hold of here; between the pieces of a block the whole block is held. */
  private moverAt(found: Picked): string | null {
    const { drawn } = this.scene();
    if (found.piece) return drawn.movers.has(found.piece) ? found.piece : null;
    const own = drawn.pieces.filter((p) => drawn.movers.has(p.id));
    if (own.length < 2) return null;
    const near = own.map((p) => ({ id: p.id, far: Math.hypot(p.x - found.x, p.y - found.y) - Math.max(p.shape.width, p.shape.depth) / 2 })).sort((a, b) => a.far - b.far);
    return near[0]!.far < 0.4 && near[1]!.far < 1.2 ? near[0]!.id : null;
  }

  move = (event: PointerEvent) => {
    const [x, y] = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (before) this.pointers.set(event.pointerId, [x, y]);
    if (this.pointers.size === 2 && before) return this.twoFingers(before, [x, y]);
    if (!this.held) return this.point(x, y);
    if (!this.held.far && Math.hypot(x - this.held.x, y - this.held.y) < 5) return;
    this.held.far = true;
    if (this.held.carried) return this.carry(x, y, event.altKey);
    this.held.at = [x, y];
    if (this.held.corner) return this.swing(this.held.corner, x, y);
    if (this.held.aiming) return this.aim(this.held);
    if (this.held.wish) {
      delete this.held.wish;
      this.held.unit = true;
      this.follow(this.held);
    }
    if (this.held.piece) this.dragPiece(this.held, event.altKey);
    else if (!this.held.unit) this.dragTable(x - before![0], y - before![1], this.held.button !== 0 || event.ctrlKey);
  };

  /** Taking hold of a unit that may move is choosing it and its move; the hand goes on with it as soon as that is asked,
   *  and has let go of it there if it was faster than the umpire. */
  private follow(held: Held): void {
    const unit = this.scene().picture?.pieces.find((p) => p.id === held.waits)?.unit;
    const until = performance.now() + PATIENCE;
    const begun = question(useTable.getState());
    let asked: unknown = null;
    const look = () => {
      if (!held.waits) return;
      if (this.scene().drawn.movers.has(held.waits)) {
        held.piece = held.waits;
        delete held.waits;
        if (held.spot) hand.sendTo(held.spot, held.piece);
        else this.dragPiece(held, false);
        if (held.spot || (this.held !== held && held.mouse)) hand.drop(held.spot && BESIDE_IT);
        return;
      }
      const ask = question(useTable.getState());
      const aimed = held.target && ask?.kind === "choose-several" && ask.least <= 1 ? ask.options.find((option) => option.id === held.target) : undefined;
      const wish = ask?.kind === "choose" && !held.target && unit ? dragOf(ask, unit) : aimed;
      if (wish && ask && ask !== asked) {
        asked = ask;
        say.answer(aimed ? [wish.id] : wish.id);
      }
      if (held.target && ask !== begun && ask?.kind === "choose" && ask.options.some((option) => option.ends)) return void delete held.waits; // it came to nothing
      if (performance.now() < until) requestAnimationFrame(look);
      else delete held.waits;
    };
    look();
  }

  /** An arrow from the unit to where the hand is, and what stands there lights up. */
  private aim(held: Held): void {
    const at = this.found(...held.at!);
    const from = this.scene().drawn.pieces.find((p) => p.id === held.waits);
    if (!at || !from) return;
    ui.set({ aim: { from: [from.x, from.y, from.z + from.height / 2], to: [at.x, at.y, at.z] } });
    ui.hover(at.piece ?? null);
  }

  /** Let go of on another unit: what it does there is chosen, if that is one thing; and where it then moves, it moves there. */
  private aimed(held: Held): void {
    ui.set({ aim: null });
    const at = held.at && this.found(...held.at);
    const target = at && this.scene().picture?.pieces.find((p) => p.id === at.piece)?.unit;
    const unit = held.aiming!;
    if (!target || target === unit) return;
    const found = aims(question(useTable.getState()), unit, target);
    if (found.length !== 1) return ui.select(unit); // its deeds now stand beside it
    const { option, steps } = found[0]!;
    giveAll(option.id, steps);
    if (option.drop) this.follow({ ...held, ...this.beside(unit, at.piece!), target });
  }

  /** Which model of a unit is nearest to a piece, and where it would stand beside that. */
  private beside(unit: string, piece: string): Pick<Held, "waits" | "spot"> {
    const { pieces } = this.scene().drawn;
    const foe = pieces.find((p) => p.id === piece)!;
    const far = (p: Piece) => Math.hypot(foe.x - p.x, foe.y - p.y);
    const own = pieces.filter((p) => p.unit === unit).sort((a, b) => far(a) - far(b))[0]!;
    const wide = (p: Piece) => Math.max(p.shape.width, p.shape.depth) / 2;
    const on = Math.max(0, 1 - (wide(own) + wide(foe) + BESIDE) / (far(own) || 1));
    return { waits: own.id, spot: { x: own.x + (foe.x - own.x) * on, y: own.y + (foe.y - own.y) * on, z: foe.z } };
  }

  up = (event: PointerEvent) => {
    this.pointers.delete(event.pointerId);
    holding.now = this.pointers.size > 0;
    const held = this.held;
    this.held = null;
    if (held?.aiming && held.far) return this.aimed(held);
    if (held?.carried && held.far) return arranging.drop(held.carried);
    if (held?.carried) return ui.select(this.scene().drawn.pieces.find((p) => p.id === held.carried)?.unit ?? held.carried);
    // A finger shows first what would be, and confirms then. Shift keeps it in hand: another leg follows.
    if (held?.piece && held.far && event.type === "pointerup" && held.mouse) return event.shiftKey ? hand.keep() : hand.drop();
    if (held && !held.far && held.button === 0 && event.type === "pointerup") this.click(held.x, held.y, event);
  };

  wheel = (event: WheelEvent) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.0035));
  };

  private spread(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }

  private twoFingers(before: [number, number], now: [number, number]): void {
    const spread = this.spread();
    if (this.pinch > 0 && spread > 0) zoom(this.pinch / spread);
    this.pinch = spread;
    this.dragTable((now[0] - before[0]) / 2, (now[1] - before[1]) / 2, useCamera.getState().mode !== "map");
  }

  private dragTable(dx: number, dy: number, turning: boolean): void {
    const eye = useCamera.getState();
    if (eye.mode === "eye") return eye.set({ azimuth: eye.azimuth - dx * 0.2, tilt: Math.min(150, Math.max(30, eye.tilt + dy * -0.2)) });
    if (turning && eye.mode === "orbit")
      return eye.set({ azimuth: eye.azimuth + dx * 0.35, tilt: Math.min(86, Math.max(8, eye.tilt - dy * 0.3)) });
    const scale = eye.span / this.box.clientHeight;
    const angle = (eye.azimuth * Math.PI) / 180;
    const [right, ahead] = [-dx * scale, (dy * scale) / Math.max(0.35, Math.cos((eye.tilt * Math.PI) / 180))];
    const { width, depth } = this.scene().picture ?? { width: 0, depth: 0 };
    // The middle of the window stays on the table, so that it is never lost.
    eye.set({
      x: Math.min(width, Math.max(0, eye.x + right * Math.cos(angle) + ahead * Math.sin(angle))),
      y: Math.min(depth, Math.max(0, eye.y - right * Math.sin(angle) + ahead * Math.cos(angle))),
    });
  }

  private carry(x: number, y: number, alone: boolean): void {
    const { carried, from } = this.held!;
    const at = this.under(x, y, new Set(arranging.carry(carried!, null, alone)));
    if (at && from) arranging.carry(carried!, [at.x - from[0], at.y - from[1]], alone);
  }

  private swing({ corner, before }: NonNullable<Held["corner"]>, x: number, y: number): void {
    const at = this.under(x, y, this.scene().drawn.movers);
    if (at) hand.wheel(before, swung(corner, at.x, at.y));
  }

  private dragPiece(held: Held, alone: boolean): void {
    const { drawn } = this.scene();
    const at = held.at && this.under(...held.at, drawn.movers);
    if (!at || !held.piece) return;
    if (held.onward) return hand.onward(held.onward.before, at.x - held.onward.from[0], at.y - held.onward.from[1]);
    if (alone && !useDraft.getState().alone) hand.alone(true);
    const [gx, gy] = held.grip ?? [0, 0];
    hand.sendTo({ x: at.x + gx, y: at.y + gy, z: at.z }, held.piece);
  }

  private point(x: number, y: number): void {
    const found = this.found(x, y);
    ui.hover(found?.piece ?? found?.marker ?? found?.terrain ?? null);
    this.box.style.cursor = found?.piece ? (this.scene().drawn.movers.has(found.piece) ? "grab" : "pointer") : useUi.getState().measuring ? "crosshair" : "default";
    const option = found && this.optionAt(found);
    if (option !== undefined && option !== null) hand.focus(option);
  }

  /** The option whose piece, marker or terrain is pointed at; pieces stand for their unit. */
  private optionAt(found: Picked): number | null {
    const ask = question(useTable.getState());
    const picture = this.scene().picture;
    if (!ask || !("options" in ask) || !picture) return null;
    const unit = picture.pieces.find((p) => p.id === found.piece)?.unit;
    const ids = new Set([found.piece, unit, found.marker, found.terrain].filter(Boolean));
    const hits = ask.options.flatMap((o, i) => (ids.has(o.id) || o.refs?.some((r) => ids.has(r)) ? [i] : []));
    return hits.includes(useDraft.getState().focus) ? useDraft.getState().focus : (hits[0] ?? null);
  }

  private click(x: number, y: number, event: PointerEvent): void {
    const { drawn } = this.scene();
    const ask = question(useTable.getState());
    const moving = isMoving(ask) && !useUi.getState().measuring;
    const found = moving ? this.under(x, y, drawn.movers) : this.found(x, y);
    if (!found) return;
    if (useUi.getState().measuring)
      return void ui.tape(found.piece ?? { x: found.x, y: found.y, z: found.z }, [found.x, found.y, found.z]);
    const touched = moving ? this.under(x, y) : found;
    if (touched?.piece && !(moving && drawn.movers.has(touched.piece)))
      ui.select(drawn.pieces.find((p) => p.id === touched.piece)?.unit ?? null);
    if (moving) {
      if (touched?.piece && drawn.movers.has(touched.piece)) return hand.done();
      if (event.shiftKey) hand.waypoint();
      return hand.sendTo({ x: found.x, y: found.y, z: found.z });
    }
    if (ask?.kind === "face") {
      const piece = drawn.pieces.find((p) => p.id === ask.about || p.unit === ask.about);
      if (piece) hand.face((Math.atan2(found.x - piece.x, found.y - piece.y) * 180) / Math.PI);
      return;
    }
    const option = this.optionAt(found);
    if (!ask || !("options" in ask)) return;
    if (option === null) {
      const unit = drawn.pieces.find((p) => p.id === found.piece)?.unit;
      if (ask.kind === "choose" && unit && ask.refused && unit in ask.refused) void askWhyNot(unit);
      return;
    }
    if (ask.kind === "choose" && unitFirst(ask) && !useSettings.getState().flat) {
      const unit = drawn.pieces.find((p) => p.id === found.piece)?.unit;
      if (unit && (deedsOf(ask).get(unit)?.length ?? 0) > 1) return; // its deeds now stand beside it
    }
    if (ask.kind === "choose-several" && ask.most === 1 && event.pointerType === "mouse") return say.answer([ask.options[option]!.id]);
    if (ask.kind === "choose-several") return hand.toggle(ask.options[option]!.id);
    if (ask.kind !== "choose") return;
    if (event.pointerType === "mouse") hand.focus(option);
    else if (!hand.tap(option)) return;
    hand.commit();
  }
}
