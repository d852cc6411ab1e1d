import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import classes from "./ComposeForm.module.css";

export type View = "form" | "script";
const VIEWS: readonly View[] = ["form", "script"];

/** Chooses the side to show where only one fits. */
export function ViewSwitch({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const words = strings.compose.views;
  return (
    <div role="radiogroup" aria-label={words.label} className={classes["views"]}>
      {VIEWS.map((one) => (
        <Choice key={one} name="view" value={one} checked={one === view} onChoose={() => onChange(one)}>
          {words[one]}
        </Choice>
      ))}
    </div>
  );
}
