import { useEffect, useRef } from "react";
import { lens } from "./Rig";

/** Words that keep their place over the table while the camera moves. */
export function Label({ at, className, children, lift = 0 }: { at: [number, number, number]; className: string; children: React.ReactNode; lift?: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [x, y, z] = at;
  useEffect(() => {
    const place = () => {
      const seen = lens.project(x, y, z);
      if (!box.current) return;
      box.current.style.visibility = seen ? "visible" : "hidden";
      if (seen) box.current.style.transform = `translate(${seen[0].toFixed(1)}px, ${(seen[1] - lift).toFixed(1)}px) translate(-50%, -50%)`;
    };
    place();
    lens.listeners.add(place);
    return () => void lens.listeners.delete(place);
  }, [x, y, z, lift]);
  return (
    <div ref={box} className={`label ${className}`}>
      {children}
    </div>
  );
}
