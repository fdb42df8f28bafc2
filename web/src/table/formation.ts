/** Pieces that are carried together, and manoeuvres one by one. What they cost and where they lead the umpire says. */
import type { Leg, Manner, Spot } from "../protocol";

export type Placement = Required<Spot>;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
export const round = (value: number) => Math.round(value * 1000) / 1000;
const turned = (degrees: number) => ((degrees % 360) + 360) % 360;

/** Where something stands that was carried along when `from` came to `to`. Facing 0 looks away, and turns clockwise. */
export function carried(spot: Placement, from: Placement, to: Placement): Placement {
  const turn = to.facing - from.facing;
  const [sin, cos] = [Math.sin(radians(-turn)), Math.cos(radians(-turn))];
  const [dx, dy] = [spot.x - from.x, spot.y - from.y];
  return {
    x: round(to.x + dx * cos - dy * sin),
    y: round(to.y + dx * sin + dy * cos),
    z: round(spot.z + to.z - from.z),
    facing: round(turned(spot.facing + turn)),
  };
}

/** The manoeuvre that leads in a direction from the front, and the one that turns. */
export const leading = (manners: Manner[], towards: number) => manners.find((m) => m.by === "inches" && m.towards === turned(towards));
export const turning = (manners: Manner[]) => manners.find((m) => m.by === "degrees");

/** One more step of a manoeuvre: it lengthens the last leg where that is the same, or shortens its opposite. */
export function stepped(legs: Leg[], manner: Manner, amount: number, manners: Manner[]): Leg[] {
  const last = legs.at(-1);
  const rest = legs.slice(0, -1);
  const how = manner.id;
  if (manner.by === "degrees") {
    const degrees = round((last?.how === how ? (last.degrees ?? 0) : 0) + amount);
    const before = last?.how === how ? rest : legs;
    return degrees ? [...before, { how, degrees }] : before;
  }
  if (last?.how === how) return [...rest, { how, inches: round((last.inches ?? 0) + amount) }];
  const opposite = manner.towards === null ? undefined : leading(manners, manner.towards + 180);
  if (last && opposite && last.how === opposite.id) {
    const inches = round((last.inches ?? 0) - amount);
    return inches > 0 ? [...rest, { how: last.how, inches }] : rest;
  }
  return [...legs, { how, inches: amount }];
}
