/** What the server says and hears beside the battle itself: fair dice, clocks, standing orders, notices, my tables. */
import type { Fairness, Json, Lang, Outcome, Seat, Side, TableInfo, Text } from "./protocol";

/** Each seat commits to its luck by a hash when it comes; `owing` are those who are to tell it now. */
export interface Luck extends Fairness {
  hashes: string[];
  owing: Side[];
  withheld: Side[];
}

export interface ClockRules {
  kind: "move" | "chess" | "battle";
  seconds: number;
  increment: number;
  falls: "remind" | "computer" | "lose";
}

export interface Clock extends ClockRules {
  left: [number, number];
  running: Side[];
  fell: Side[];
}

/** The table with what this file adds to it. */
export interface Hosted extends TableInfo {
  clock: Clock | null;
  stopped: Text | null;
}

export const hosted = (table: TableInfo): Hosted => table as Hosted;
export const luckOf = (table: TableInfo): Luck | null => table.fairness as Luck | null;

export type Orders = Record<string, Json>;

export type Saying = { type: "luck"; luck: string | null } | { type: "orders"; orders: Orders };

export interface HostInfo {
  addresses: string[];
  lobby: boolean;
  password: boolean;
  mail: boolean;
  webhooks: "known" | "any" | "inside";
  push: string;
}

export interface Brief {
  table: string;
  game: string;
  names: Text;
  created: number;
  moved: number;
  visited: number | null;
  answers: number;
  started: boolean;
  over: boolean;
  stopped: boolean;
  waiting: Side[];
  seats: Seat[];
  clock: Clock | null;
  scenario: Text | null;
  track: Text[];
  outcome: Outcome | null;
}

export interface MyTable extends Brief {
  side: Side | null;
  token: string;
}

export interface Webhook {
  form: "discord" | "feishu" | "wecom" | "json";
  url: string;
}

export interface Wanted {
  lang: Lang;
  webhook: Webhook | null;
  email: string;
  push: { endpoint: string; p256dh: string; auth: string }[];
  quiet: { start: number; end: number; zone: string } | null;
  confirmed: string;
}

export interface Me {
  known: boolean;
  name: string;
  notices: Wanted;
  tables: MyTable[];
}

export interface Verification {
  verdict: { same: boolean; answers: number; recorded_rules: string; rules: string; difference: Json; fair: boolean | null };
  fairness: Luck | null;
}
