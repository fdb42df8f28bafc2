/** One WebSocket that comes back by itself, with questions and answers matched by id. */
import type { FromClient, FromServer, Text } from "../protocol";
import type { Saying } from "../server";

type Asking = Extract<FromClient, { id: number }>;
/** A request without its id, which the socket gives it. */
export type Request = Asking extends infer A ? (A extends Asking ? Omit<A, "id"> : never) : never;

export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly text: Text,
  ) {
    super(text.en);
  }
}

/** A wrong link, no such table, a seat that is open in too many windows: coming again changes nothing. */
const GONE = new Set([4401, 4404, 4409]);
const PATIENCE = [300, 800, 2000, 4000, 8000];

export class TableSocket {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, { done: (m: FromServer) => void; failed: (e: Error) => void }>();
  private next = 1;
  private tries = 0;
  private closed = false;

  constructor(
    private readonly url: string,
    /** The first message, which says who is there: a token in the address would be written down by proxies. */
    private readonly first: object,
    private readonly hear: (message: FromServer) => void,
    private readonly status: (now: "open" | "lost" | "none") => void,
  ) {
    this.open();
  }

  private open(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      socket.send(JSON.stringify(this.first));
      this.status("open");
    };
    socket.onmessage = (event) => this.take(JSON.parse(event.data as string) as FromServer);
    socket.onclose = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Error("the connection was lost"));
      this.waiting.clear();
      if (this.closed) return;
      if (GONE.has(event.code)) return this.status("none");
      this.status("lost");
      setTimeout(() => this.closed || this.open(), PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]);
    };
  }

  private take(message: FromServer): void {
    const id = "id" in message ? message.id : undefined;
    const asked = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || !asked) return this.hear(message);
    this.waiting.delete(id);
    if (message.type === "error") asked.failed(new Refusal(message.code, message.text));
    else asked.done(message);
  }

  send(message: Exclude<FromClient, Asking> | Saying): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Say something that needs no reply of its own; a ruling against it is heard like any other message. */
  tell(message: Request): number {
    const id = this.next++;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ...message, id }));
    return id;
  }

  ask<T extends FromServer["type"]>(message: Request, _answer: T): Promise<Extract<FromServer, { type: T }>> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return failed(new Error("not connected"));
      const id = this.tell(message);
      this.waiting.set(id, { done: done as (m: FromServer) => void, failed });
    });
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}
