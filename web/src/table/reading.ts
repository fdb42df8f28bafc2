/** Which lines of the chat have been read: at this table, also after a reload. */
import { useEffect } from "react";
import { create } from "zustand";
import { useTable } from "./store";
import { useUi } from "./ui";

const KEPT = "umpire.read";
const useRead = create<{ read: Record<string, number> }>(() => ({ read: JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, number> }));

/** How many lines others have said since the chat was last open. */
export function useUnread(): number {
  const table = useTable((s) => s.view?.table.id ?? "");
  const side = useTable((s) => s.view?.side ?? null);
  const chat = useTable((s) => s.chat);
  const open = useUi((s) => s.tab === "chat" && s.right);
  const last = useRead((s) => s.read[table] ?? -1);
  const newest = chat.at(-1)?.n ?? -1;
  useEffect(() => {
    if (!open || newest <= last) return;
    const read = { ...useRead.getState().read, [table]: newest };
    sessionStorage.setItem(KEPT, JSON.stringify(read));
    useRead.setState({ read });
  }, [open, newest, last, table]);
  return open ? 0 : chat.filter((line) => line.n > last && line.from !== side).length;
}
