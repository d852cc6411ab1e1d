// All apps of the site: what each is, where its software comes from, and why it cannot start here, if it cannot.
import { Skeleton } from "@mantine/core";
import { useSearchParams } from "react-router-dom";

import type { Offer } from "~/api/types";
import { groupsOf } from "~/lib/groups";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./AppsPage.module.css";
import { OfferCard } from "./OfferCard";
import { useOffers } from "./queries";

const words = strings.apps.catalogue;

export default function AppsPage() {
  const [query, setQuery] = useSearchParams();
  const text = query.get("q") ?? "";
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <FilterField label={words.filter} value={text} onChange={(q) => setQuery(q === "" ? {} : { q }, { replace: true })} />
      }
    >
      <Catalogue text={text} />
    </Page>
  );
}

function Catalogue({ text }: { text: string }) {
  const { data, error, refetch } = useOffers();
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return (
      <div className={classes["grid"]} aria-busy="true">
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} height={196} />
        ))}
      </div>
    );
  }
  const shown = data.items.filter((app) => fits(app, text));
  if (shown.length === 0) {
    return (
      <Empty>
        <p>{data.items.length === 0 ? words.empty : words.none(text)}</p>
      </Empty>
    );
  }
  return (
    <ul className={classes["grid"]}>
      {groupsOf(shown).flatMap(({ title, apps }) => apps.map((offer) => <OfferCard key={offer.name} offer={offer} group={title} />))}
    </ul>
  );
}

function fits({ title, description, group, program, sources }: Offer, text: string): boolean {
  const searched = [title, description, group, program, ...sources.flatMap((source) => [source.title, source.where])].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
