// One template: what it teaches and needs, and the whole notebook with its recorded output.
import { Button, Skeleton } from "@mantine/core";
import { ArrowLeftIcon } from "@primer/octicons-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";

import { usePreview, useTemplates } from "~/api/queries";
import type { Template } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { timesOf } from "./Needs";
import { NotebookView } from "~/ui/notebook/NotebookView";
import { OpenDialog } from "./OpenDialog";
import classes from "./TemplatePage.module.css";
import { YourCopy } from "./YourCopy";

const words = strings.templates;

export default function TemplatePage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useTemplates();
  const [opening, setOpening] = useState(false);
  const template = data?.items.find((candidate) => candidate.id === id);
  if (template === undefined) {
    return (
      <Page title={data === undefined ? words.title : words.gone}>
        {error !== null && data === undefined && (
          <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
        )}
        {error === null && data === undefined && <Skeleton height={320} />}
        {data !== undefined && (
          <Empty>
            <p>{words.goneText}</p>
            <Link to={pages.templates()}>{words.back}</Link>
          </Empty>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={template.title}
      lead={template.description}
      actions={
        <Button className={classes["open"] ?? ""} onClick={() => setOpening(true)} aria-label={`${words.open}: ${template.title}`}>
          {words.open}
        </Button>
      }
    >
      <Link className={classes["back"]} to={pages.templates()}>
        <ArrowLeftIcon /> {words.back}
      </Link>
      <YourCopy template={template} />
      <Facts template={template} />
      <Preview template={template} />
      {opening && <OpenDialog template={template} onClose={() => setOpening(false)} />}
    </Page>
  );
}

function Facts({ template }: { template: Template }) {
  const facts: [string, string][] = [
    [words.facts.framework, `${template.framework} ${template.versions.replaceAll(">=", "≥ ")}`.trim()],
    [words.facts.image, template.image],
    [words.facts.needs, template.gpus === 0 ? words.needs(0) : strings.resources.gpus(template.gpus, null)],
    [words.facts.time, timesOf(template).join(", ")],
    [words.facts.data, template.data],
    [words.facts.tested, template.tested || (template.not_run && words.notRunWhy(template.not_run)) || words.notRun],
    [words.facts.file, `templates/${template.file}`],
  ];
  return (
    <dl className={`card ${classes["facts"]}`}>
      {facts.map(
        ([name, value]) =>
          value !== "" && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Preview({ template }: { template: Template }) {
  const { data, error, refetch } = usePreview(template.id);
  return (
    <section aria-label={words.preview}>
      <h2 className="section-title">{words.preview}</h2>
      <p className="quiet small">{template.has_outputs ? words.outputs : words.noOutputs}</p>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={480} />}
      {data !== undefined && <NotebookView cells={data.cells} />}
    </section>
  );
}
