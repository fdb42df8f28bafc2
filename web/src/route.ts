/** Four pages need no router library: the path is the route. */
import { useSyncExternalStore } from "react";

const heard = new Set<() => void>();
const tell = () => heard.forEach((f) => f());

addEventListener("popstate", tell);
addEventListener("hashchange", tell);

export function go(path: string): void {
  history.pushState(null, "", path);
  tell();
}

export function usePath(): string {
  return useSyncExternalStore(
    (listen) => (heard.add(listen), () => heard.delete(listen)),
    () => location.pathname + location.hash,
  );
}
