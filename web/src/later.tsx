import { type ComponentType, useEffect, useState } from "react";
import { useText } from "./text";

/** A page whose code comes when it is wanted, or before by `fetch`. React's own `lazy` holds a page back for 300 ms once
 * it has shown that it waits, and it always waits: code that is there stands at once here. */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> & { fetch: () => Promise<void> } {
  let here: ComponentType<P> | null = null;
  const fetch = async () => {
    here = (await load()).default;
  };
  function Later(props: P) {
    const [Page, show] = useState(() => here);
    useEffect(() => {
      if (!Page) void fetch().then(() => show(() => here));
    }, [Page]);
    return Page ? <Page {...props} /> : <Loading />;
  }
  return Object.assign(Later, { fetch });
}

function Loading() {
  const { t } = useText();
  return <div className="loading">{t("loading")}</div>;
}
