import { Button } from "@mantine/core";
import { BlockedIcon } from "@primer/octicons-react";

import type { Offer } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { AppIcon } from "~/ui/AppIcon";
import { PageButton } from "~/ui/LinkButton";
import classes from "./OfferCard.module.css";

const words = strings.apps.catalogue;
const LISTED_AT_ONCE = 2;

export function OfferCard({ offer, group }: { offer: Offer; group: string }) {
  const { name, title, description, icon, origin, network, available } = offer;
  const id = `app-${name}`;
  return (
    <li className={`card ${classes["card"]}`} aria-labelledby={id} data-unavailable={!available || undefined}>
      <p className={classes["group"]}>{group}</p>
      <h2 className={classes["title"]} id={id}>
        <AppIcon name={icon} />
        {title}
      </h2>
      <p className={classes["text"]}>{description}</p>
      {!available && <WhyNot offer={offer} />}
      <Sources offer={offer} />
      <div className={classes["foot"]}>
        <p className={classes["origin"]}>
          {words.origin[origin]}
          {!network && <span>{words.noNetwork}</span>}
        </p>
        {available ? (
          <PageButton to={pages.newSession(new URLSearchParams({ app: name }))} variant="default" size="xs" aria-label={words.startOf(title)}>
            {words.start}
          </PageButton>
        ) : (
          <Button variant="default" size="xs" disabled title={offer.reason ?? strings.apps.unavailable} aria-label={words.startOf(title)}>
            {words.start}
          </Button>
        )}
      </div>
    </li>
  );
}

function WhyNot({ offer: { reason, remedy } }: { offer: Offer }) {
  return (
    <div className={classes["why"]}>
      <BlockedIcon />
      <div>
        <p>{reason ?? strings.apps.unavailable}</p>
        <p className={classes["remedy"]}>{remedy ?? words.askAdministrators}</p>
      </div>
    </div>
  );
}

/** The environments that have it; long lists are folded. */
function Sources({ offer: { sources } }: { offer: Offer }) {
  if (sources.length === 0) return null;
  const list = (
    <ul className={classes["sources"]}>
      {sources.map((source) => (
        <li key={source.environment} className={classes["source"]}>
          <strong>{source.title}</strong> {source.version}
          {source.own && ` · ${words.own}`}
          <span className={classes["where"]}>{words.where[source.kind](source.where)}</span>
          {source.reason !== null && <span className={classes["lack"]}>{source.reason}</span>}
        </li>
      ))}
    </ul>
  );
  if (sources.length <= LISTED_AT_ONCE) return list;
  return (
    <details className={classes["folded"]}>
      <summary>{words.runsIn(sources.length)}</summary>
      {list}
    </details>
  );
}
