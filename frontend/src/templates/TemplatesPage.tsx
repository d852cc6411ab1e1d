// The gallery: notebooks by framework and task, each opened in a running session or in a new one.
import { Skeleton } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { useTemplates } from "~/api/queries";
import type { Template } from "~/api/types";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { FilterChips } from "./FilterChips";
import { OpenDialog } from "./OpenDialog";
import { TemplateCard } from "./TemplateCard";
import classes from "./TemplatesPage.module.css";
import { useCopies } from "./copies";
import { choicesOf, shownOf, type GalleryFilter } from "./gallery";

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
      actions={<FilterField label={words.filter} value={filter.q} onChange={(q) => change({ q })} />}
    >
      <Gallery filter={filter} change={change} />
    </Page>
  );
}

function Gallery({ filter, change }: { filter: GalleryFilter; change: (next: Partial<GalleryFilter>) => void }) {
  const { data, error, refetch } = useTemplates();
  const copies = useCopies().data?.items ?? [];
  const [openedId, setOpened] = useState<Template["id"] | null>(null);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return (
      <div className={classes["grid"]} aria-busy="true">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height={176} />
        ))}
      </div>
    );
  }
  const shown = shownOf(data.items, filter);
  const opened = data.items.find(({ id }) => id === openedId);
  return (
    <>
      {data.items.length > 0 && (
        <div className={classes["filters"]}>
          <FilterChips label={words.framework} values={choicesOf(data.items, "framework")} chosen={filter.framework} onChoose={(framework) => change({ framework })} />
          <FilterChips label={words.task} values={choicesOf(data.items, "task")} chosen={filter.task} onChoose={(task) => change({ task })} />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty>
          <p>{data.items.length === 0 ? words.empty : words.none}</p>
        </Empty>
      ) : (
        <ul className={classes["grid"]}>
          {shown.map((template) => (
            <TemplateCard
              key={template.id}
              template={template}
              newer={copies.some(({ id, state }) => id === template.id && state === "outdated")}
              onOpen={() => setOpened(template.id)}
            />
          ))}
        </ul>
      )}
      {opened !== undefined && <OpenDialog template={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
