/** "Ask the judge": a moment of a battle or a replay is taken into the lab. */
import { ApiError } from "../api";
import { go } from "../route";
import { notify } from "../table/store";

/** Text to be taken up by the lab when its page opens. */
let brought: string | null = null;

export function takeBrought(): string | null {
  const text = brought;
  brought = null;
  return text;
}

export async function askJudge(scene: Promise<string> | null): Promise<void> {
  if (!scene) return;
  try {
    brought = await scene;
    go("/lab");
  } catch (error) {
    notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) });
  }
}
