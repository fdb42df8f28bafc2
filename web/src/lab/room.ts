/** Where there is room on the table for something more. */
import type { Picture, Point } from "../protocol";

/** Left, near, right, far. */
export type Box = [number, number, number, number];

/** About so much is left free between what is put down and what stands there. */
const GAP = 0.75;
const STEP = 0.5;

const around = (points: Point[]): Box => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

/** What stands on the table, each thing in a box. */
function taken(picture: Picture): Box[] {
  const pieces = picture.pieces.map(({ shape, x, y }): Box => {
    const far = shape.points.length ? Math.max(...shape.points.map(([a, b]) => Math.hypot(a, b))) : shape.kind === "round" ? shape.width / 2 : Math.hypot(shape.width, shape.depth) / 2;
    return [x - far, y - far, x + far, y + far];
  });
  return [...pieces, ...picture.terrain.flatMap((one) => one.blocks.map((block) => around(block.points)))];
}

/** The place nearest to a wish where something of that box, about its own point, has room; the wish where nothing has. */
export function roomFor(box: Box, wish: Point, picture: Picture): Point {
  const [left, near, right, far] = [box[0] - GAP, box[1] - GAP, box[2] + GAP, box[3] + GAP];
  const inTheWay = taken(picture);
  const free = (x: number, y: number) =>
    x + box[0] >= 0 && y + box[1] >= 0 && x + box[2] <= picture.width && y + box[3] <= picture.depth &&
    inTheWay.every((other) => x + right <= other[0] || x + left >= other[2] || y + far <= other[1] || y + near >= other[3]);
  let best: Point = wish;
  let least = Infinity;
  for (let x = wish[0] % STEP; x <= picture.width; x += STEP)
    for (let y = wish[1] % STEP; y <= picture.depth; y += STEP) {
      const away = Math.hypot(x - wish[0], y - wish[1]);
      if (away < least && free(x, y)) [best, least] = [[x, y], away];
    }
  return best;
}
