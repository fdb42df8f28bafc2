import { useEffect, useState } from "react";
import { renderSVG } from "uqr";
import { heldTables, tablePath } from "../api";
import { useTable } from "../table/store";
import { sideWord, useText } from "../text";

/** A seat waits for a friend: its link to copy and its square code to scan, until somebody sits there. */
export function Invite({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const seats = useTable((s) => s.view?.table.seats ?? []);
  const over = useTable((s) => !!s.view?.outcome);
  const [shut, setShut] = useState(false);
  const held = heldTables().find((h) => h.table === table && h.token === token);
  const open = seats.find((seat) => seat.kind === "open" && !seat.connected);
  const link = open && held?.others?.find((other) => other.side === open.side);
  if (!link || shut || over) return null;
  return (
    <aside className="invite" aria-label={t("invite")}>
      <header className="row">
        <b>{t("invite")} · {t(sideWord(link.side))}</b>
        <button className="quiet" onClick={() => setShut(true)} aria-label={t("close")}>✕</button>
      </header>
      <p>{t("inviteSays")}</p>
      <Link path={tablePath(table, link.token)} square />
    </aside>
  );
}

/** Where this table can be reached: at the address this page came from, or, on one's own machine, at its address in the local network. */
export function Link({ path, label, square = false }: { path: string; label?: string; square?: boolean }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const [origin, setOrigin] = useState(location.origin);
  const [near, setNear] = useState<boolean | null>(null);
  useEffect(() => {
    if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) return;
    fetch("/api/host").then((r) => (r.ok ? r.json() : null)).then(
      (host: { addresses: string[] } | null) => {
        setNear(!!host?.addresses.length);
        if (host?.addresses[0]) setOrigin(host.addresses[0]);
      },
      () => setNear(false),
    );
  }, []);
  const url = origin + path;
  return (
    <label className="link">
      {label}
      {square && <span className="qr" role="img" aria-label={t("qr")} dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }} />}
      <span className="row">
        <input readOnly value={url} onFocus={(e) => e.target.select()} />
        <button className="plain" onClick={() => void navigator.clipboard?.writeText(url).then(() => setCopied(true))}>{t(copied ? "copied" : "copy")}</button>
      </span>
      {near === false && <small>{t("onlyHere")} <code>umpire serve --host 0.0.0.0</code></small>}
    </label>
  );
}
