// What other users share with me now.
import type { SharedItem } from "~/api/types";
import { useShared } from "./shares";
import { strings } from "~/strings/en";
import { OutsideButton } from "~/ui/LinkButton";
import { Time } from "~/ui/Time";
import classes from "./SharedWithMe.module.css";

const words = strings.sharing;

const what = ({ app_title, mode, port }: SharedItem) => (port === null ? words.appTo(app_title, mode) : words.port(port));

export function SharedWithMe() {
  const items = useShared().data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section className={classes["section"]} aria-labelledby="shared-title">
      <h2 id="shared-title" className="section-title">
        {words.withMe}
      </h2>
      <ul className={`card ${classes["list"]}`}>
        {items.map((shared) => {
          const name = words.theirs(shared.owner, shared.session);
          return (
            <li key={shared.id}>
              <div className={classes["share"]}>
                <span className={classes["name"]}>{name}</span>
                <span className={classes["what"]}>
                  {what(shared)} · <Time at={shared.ends_at} as="left" />
                </span>
              </div>
              <OutsideButton variant="default" size="xs" href={shared.link} aria-label={words.openOf(name)}>
                {strings.ports.open}
              </OutsideButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
