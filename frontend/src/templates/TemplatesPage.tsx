// The gallery: notebooks by framework and task, those that run here first, each opened in a session.
import { Skeleton } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { useTemplates } from "~/api/queries";
import type { Template } from "~/api/types";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { FilterSelect } from "~/ui/FilterSelect";
import { FoldedSection } from "~/ui/FoldedSection";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { OpenDialog } from "./OpenDialog";
import { TemplateCard } from "./TemplateCard";
import classes from "./TemplatesPage.module.css";
import { useCopies } from "./copies";
import { choicesOf, partsOf, shownOf, type GalleryFilter } from "./gallery";

const words = strings.templates;

export default function TemplatesPage() {
  const [params, setParams] = useSearchParams();
  const filter: GalleryFilter = {
    q: params.get("q") ?? "",
    framework: params.get("framework"),
    task: params.get("task"),
  };
  const change = (next: Partial<GalleryFilter>) => {
    const kept = Object.entries({ ...filter, ...next }).filter(([, value]) => value !== null && value !== "");
    setParams(kept as [string, string][], { replace: true });
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={<Filters filter={filter} change={change} />}
    >
      <Gallery filter={filter} />
    </Page>
  );
}

interface GalleryProps {
  filter: GalleryFilter;
  change: (next: Partial<GalleryFilter>) => void;
}

function Filters({ filter, change }: GalleryProps) {
  const items = useTemplates().data?.items ?? [];
  return (
    <div className={classes["filters"]}>
      {(["framework", "task"] as const).map((by) => (
        <FilterSelect key={by} label={words[by]} values={choicesOf(items, by)} chosen={filter[by] ?? ""} onChoose={(value) => change({ [by]: value })} />
      ))}
      <FilterField label={words.filter} value={filter.q} onChange={(q) => change({ q })} />
    </div>
  );
}

function Gallery({ filter }: Pick<GalleryProps, "filter">) {
  const { data, error, refetch } = useTemplates();
  const [openedId, setOpened] = useState<Template["id"] | null>(null);
  const [unfolded, setUnfolded] = useState(false);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return (
      <div className={classes["grid"]} aria-busy="true">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height={320} />
        ))}
      </div>
    );
  }
  const shown = shownOf(data.items, filter);
  const parts = partsOf(shown);
  const opened = data.items.find(({ id }) => id === openedId);
  const filtered = shown.length < data.items.length;
  const cards = (items: readonly Template[]) => <Cards items={items} onOpen={setOpened} />;
  return (
    <>
      {shown.length === 0 && (
        <Empty>
          <p>{data.items.length === 0 ? words.empty : words.none}</p>
        </Empty>
      )}
      {parts.here.length > 0 && cards(parts.here)}
      {parts.lacking.length > 0 && (
        <section className={classes["part"]} aria-labelledby="lacking-title">
          <h2 className="section-title" id="lacking-title">
            {words.lacking}
          </h2>
          {cards(parts.lacking)}
        </section>
      )}
      {parts.old.length > 0 && (
        <div className={classes["part"]}>
          <FoldedSection title={words.old} lists={frameworksOf(parts.old)} open={unfolded || filtered} onToggle={() => setUnfolded(!unfolded)}>
            <div className={classes["old"]}>{cards(parts.old)}</div>
          </FoldedSection>
        </div>
      )}
      {opened !== undefined && <OpenDialog template={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Cards({ items, onOpen }: { items: readonly Template[]; onOpen: (id: Template["id"]) => void }) {
  const copies = useCopies().data?.items ?? [];
  return (
    <ul className={classes["grid"]}>
      {items.map((template) => (
        <TemplateCard
          key={template.id}
          template={template}
          newer={copies.some(({ id, state }) => id === template.id && state === "outdated")}
          onOpen={() => onOpen(template.id)}
        />
      ))}
    </ul>
  );
}

const frameworksOf = (items: readonly Template[]) => choicesOf(items, "framework").join(", ");
