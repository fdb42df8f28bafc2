/** The colours and patterns of the table in both themes; sides differ by hatching as well as by colour. */
import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from "three";

export interface Look {
  back: string;
  felt: string;
  /** What else a table may be covered with. */
  grounds: Record<string, string>;
  /** Where a piece may go: a colour that the ground never has. */
  reach: string;
  grid: string;
  frame: string;
  ink: string;
  brass: string;
  /** Around pieces that are picked for an answer, selected, or pointed at. */
  rings: { picked: string; selected: string; hover: string };
  bad: string;
  sides: [string, string];
  /** How strongly the sky, the sun and, in the dark, the candle over the table shine. */
  sky: number;
  sun: number;
  candle: number;
  blocks: Record<string, string>;
}

const stone = { wall: "#cfc6b4", floor: "#cdb58c", platform: "#cdb58c", ladder: "#8a6238", stair: "#bfae8e", ramp: "#bfae8e", door: "#7b5230", arch: "#b8ae9a", area: "#8f8660", obstacle: "#b3a382", statue: "#c6c3ba", fence: "#96744a", water: "#7fa0ab", forest: "#5f7d46", hill: "#a9a06a", building: "#c4b79d", hazard: "#a8644a", trunk: "#7a5c3c", ruin: "#c3b8a4" };
const slate = { wall: "#7b7b77", floor: "#7a6647", platform: "#7a6647", ladder: "#a57c4c", stair: "#756a58", ramp: "#756a58", door: "#6b4a2d", arch: "#74726b", area: "#5c604a", obstacle: "#6f6552", statue: "#8b8a85", fence: "#7d6242", water: "#3f5f6b", forest: "#4b5c40", hill: "#666049", building: "#726a5b", hazard: "#7a4636", trunk: "#5b4630", ruin: "#78736a" };

export const LOOKS: Record<"light" | "dark", Look> = {
  light: { back: "#e9e1cf", felt: "#b9b58f", grounds: { felt: "#8f9c78", earth: "#b39a72", grass: "#97a06a", stone: "#b3aa98", snow: "#e3e6e6", ash: "#8d867d" }, reach: "#0b7f9e", grid: "#6b5f42", frame: "#5b4029", ink: "#22262b", brass: "#94680e", rings: { picked: "#2a6b3a", selected: "#6b4f2a", hover: "#22262b" }, bad: "#c0281d", sides: ["#1f4e79", "#a3312a"], sky: 1.45, sun: 2.1, candle: 0, blocks: stone },
  dark: { back: "#14181c", felt: "#363c35", grounds: { felt: "#36443a", earth: "#4a3f30", grass: "#3d4730", stone: "#45423d", snow: "#5d6468", ash: "#3a3734" }, reach: "#46c3e6", grid: "#d8caa4", frame: "#2b2019", ink: "#0d0f11", brass: "#f0bf5c", rings: { picked: "#5fc27a", selected: "#ffffff", hover: "#fff3cf" }, bad: "#ff7a68", sides: ["#5289c2", "#d65f54"], sky: 0.85, sun: 1.1, candle: 0.55, blocks: slate },
};

/** A pen on a canvas that becomes a texture. Memory, not the graphics card, holds it: drawn there it would only be read back. */
export const penOn = (canvas: HTMLCanvasElement) => canvas.getContext("2d", { willReadFrequently: true })!;

/** Side 0: one set of diagonals; side 1: crossed ones. */
export function hatch(side: number, colour: string): CanvasTexture {
  const size = 64;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const pen = penOn(canvas);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = "rgba(255,255,255,0.34)";
  pen.lineWidth = side === 0 ? 7 : 4;
  pen.beginPath();
  for (let i = -size; i <= size * 2; i += side === 0 ? 32 : 21.333) {
    pen.moveTo(i, 0);
    pen.lineTo(i + size, size);
    if (side !== 0) {
      pen.moveTo(i + size, 0);
      pen.lineTo(i, size);
    }
  }
  pen.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}
