/** Chinese on machines without a Chinese font: the slices of two web fonts, fetched glyph by glyph where none is installed. */

/** Without a font, every character is drawn as the same empty box. */
function hasChinese(): boolean {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const drawn = (character: string) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = "24px system-ui, sans-serif";
    pen.fillText(character, 4, 30);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  return drawn("规") !== drawn("则");
}

export function bringFonts(): void {
  if (hasChinese()) return;
  // Chromium leaves some words drawn as boxes after their slice has come, until their style changes.
  document.fonts.addEventListener("loadingdone", () => {
    const { style } = document.documentElement;
    style.letterSpacing = style.letterSpacing ? "" : "0.01px";
  });
  void import("./webfonts");
}
