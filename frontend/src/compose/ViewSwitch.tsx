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
      {VIEWS.map((choice) => (
        <Choice key={choice} name="view" value={choice} checked={choice === view} onChoose={() => onChange(choice)}>
          {words[choice]}
        </Choice>
      ))}
    </div>
  );
}
