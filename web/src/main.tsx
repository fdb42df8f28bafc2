import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { bringFonts } from "./fonts";
import { later } from "./later";
import { usePath } from "./route";
import { showSettings } from "./settings";
import { Start } from "./start/Start";
import "./style.css";

const TableScreen = later(() => import("./table/TableScreen"));
const Replay = later(() => import("./replay/Replay"));
const MinePage = later(() => import("./hosting/MinePage"));
const LobbyPage = later(() => import("./hosting/LobbyPage"));
const AdminPage = later(() => import("./hosting/AdminPage"));
const LabScreen = later(() => import("./lab/LabScreen"));
const RulesPage = later(() => import("./rules/RulesPage"));

function Page() {
  const path = usePath();
  const [page, name] = path.split("#")[0]!.split("/").slice(1);
  const token = path.split("#")[1] ?? "";
  if (page === "table" && name) return <TableScreen key={name + token} table={name} token={token} />;
  if (page === "replay") return <Replay key={path} table={name ?? ""} token={token} />;
  if (page === "mine") return <MinePage token={decodeURIComponent(token)} />;
  if (page === "lobby") return <LobbyPage />;
  if (page === "admin") return <AdminPage token={decodeURIComponent(token)} />;
  if (page === "lab") return <LabScreen key={name ?? ""} puzzle={name ?? ""} packed={token} />;
  if (page === "rules") return <RulesPage rule={name ? decodeURIComponent(name) : ""} />;
  return <Start />;
}

showSettings();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);

// System fonts come first in every stack; web fonts wait until the page stands.
addEventListener("load", bringFonts);
// Nearly every way leads to the table: its code is there before it is wanted.
addEventListener("load", () => void TableScreen.fetch());
