import { iconUrl } from "../icon";

export function Icon({ name }: { name: string }) {
  return <i className="icon" aria-hidden="true" style={{ maskImage: `url(${iconUrl(name)})` }} />;
}
