/** Questions that have a usual answer: details are answered with it, unless a player wants to be asked; and whatever else a
 *  player no longer wants to be asked. */
import { create } from "zustand";
import type { Decision, Text, View } from "../protocol";
import { useSettings } from "../settings";
import { declined, usual } from "./declining";

export interface Given {
  key: string;
  prompt: Text;
}

/** What was answered as usual since the player last answered something. */
export const useGiven = create<{ given: Given[] }>(() => ({ given: [] }));

/** The wish that stands for a question: in every battle of this game, or in this one where something is declined. */
export const wishFor = (view: View, ask: Decision): string => `${declined(ask) === undefined ? view.game : view.table.id} ${ask.prompt.key ?? ""}`;

/** Is it answered without being asked? */
export function taken(view: View, ask: Decision): boolean {
  if (usual(ask) === undefined) return false;
  const wish = useSettings.getState().asks[wishFor(view, ask)];
  return wish ? !wish.asked : !!ask.detail;
}

/** From now on this is asked, or answered as usual. */
export function askFor(key: string, prompt: Text, asked: boolean): void {
  const { asks, set } = useSettings.getState();
  set({ asks: { ...asks, [key]: { asked, prompt } } });
  useGiven.setState(({ given }) => ({ given: given.filter((one) => one.key !== key) }));
}

export const note = (one: Given): void => useGiven.setState(({ given }) => ({ given: [...given.filter((old) => old.key !== one.key), one] }));
export const forget = (): void => void (useGiven.getState().given.length && useGiven.setState({ given: [] }));
