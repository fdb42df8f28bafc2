import icons from "virtual:icons";

export function Icon({ name, className = "icon" }: { name: string; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 512 512" aria-hidden="true">
      <path d={icons[name] ?? icons["chess-pawn"]} />
    </svg>
  );
}
