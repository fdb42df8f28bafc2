import { useText } from "../text";
import { ui } from "../table/ui";

/** § opens the rule. */
export function Sign({ rules }: { rules: string[] | undefined }) {
  const { t } = useText();
  return (rules ?? []).filter(Boolean).map((rule) => (
    <button key={rule} className="sign" onClick={() => ui.openRule(rule)} title={rule} aria-label={`${t("openRule")} ${rule}`}>§</button>
  ));
}
