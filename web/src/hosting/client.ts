/** What the pages around the table ask of the server, and who this browser is. */
import { ApiError, bearer } from "../api";
import type { Created, Text } from "../protocol";
import type { Brief, HostInfo, Me, Verification, Wanted } from "../server";

const KEY = "umpire.me";

export const myKey = (): string => localStorage.getItem(KEY) ?? "";
export const keepKey = (key: string) => (key ? localStorage.setItem(KEY, key) : localStorage.removeItem(KEY));

/** 128 random bits, as a private link carries them. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function ask<T>(method: string, path: string, secret: string, body?: unknown): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { ...(secret ? bearer(encodeURIComponent(secret)) : {}), "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    const said = ((await response.json().catch(() => null)) as { text?: Text } | null)?.text;
    const status = `${response.status} ${response.statusText}`;
    throw new ApiError(response.status, said ?? { zh: status, en: status });
  }
  return (await response.json()) as T;
}

const seat = (table: string) => encodeURIComponent(table);

export const hosting = {
  host: () => ask<HostInfo>("GET", "/host", ""),
  me: (key: string) => ask<Me>("GET", "/mine", key),
  change: (key: string, change: { name?: string; notices?: Wanted; code?: string }) => ask<object>("PUT", "/mine", key, change),
  hold: (key: string, table: string, token: string) => ask<object>("PUT", `/mine/tables/${seat(table)}`, key, { token }),
  drop: (key: string, table: string) => ask<object>("DELETE", `/mine/tables/${seat(table)}`, key),
  lobby: () => ask<{ tables: Brief[] }>("GET", "/lobby", "").then((r) => r.tables),
  sit: (table: string) => ask<Created>("POST", `/lobby/${seat(table)}`, ""),
  tables: (key: string) => ask<{ tables: Brief[] }>("GET", "/admin/tables", key).then((r) => r.tables),
  remove: (key: string, table: string) => ask<object>("DELETE", `/admin/tables/${seat(table)}`, key),
  verify: (replay: string) => ask<Verification>("GET", `/replay/${seat(replay)}/verify`, ""),
};

/** Let this browser be told of turns while no page is open. Null where it cannot be. */
export async function subscribe(publicKey: string): Promise<Wanted["push"][number] | null> {
  if (!publicKey || !("serviceWorker" in navigator) || !("PushManager" in window)) return null;
  if ((await Notification.requestPermission()) !== "granted") return null;
  const worker = await navigator.serviceWorker.register("/sw.js");
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  return endpoint && keys ? { endpoint, p256dh: keys.p256dh!, auth: keys.auth! } : null;
}
