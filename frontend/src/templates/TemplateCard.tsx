import { Button } from "@mantine/core";

import type { Template } from "~/api/types";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import classes from "./TemplateCard.module.css";

export function TemplateCard({ template, onOpen }: { template: Template; onOpen: () => void }) {
  const titleId = `template-${template.id}`;
  return (
    <li className={`card ${classes["card"]}`} aria-labelledby={titleId}>
      <p className={classes["kind"]}>
        <strong>{template.framework}</strong> · {template.task}
      </p>
      <h2 className={classes["title"]} id={titleId}>
        {template.title}
      </h2>
      <p className={classes["text"]}>{template.description}</p>
      <p className={classes["needs"]}>
        {template.gpus > 0 && (
          <GpuCells
            cells={Array.from({ length: template.gpus }, () => ({ kind: "free" as const }))}
            label={strings.templates.needs(template.gpus)}
          />
        )}
        {[
          strings.templates.needs(template.gpus),
          template.minutes_cpu === null ? null : strings.templates.minutes(template.minutes_cpu),
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      <div className={classes["foot"]}>
        <span className={classes["environment"]}>
          {template.environment_title ?? strings.templates.notebookEnvironment}
          {!template.available && ` (${strings.launch.notInstalled})`}
        </span>
        <Button size="xs" variant="default" onClick={onOpen} aria-label={`${strings.templates.open}: ${template.title}`}>
          {strings.templates.open}
        </Button>
      </div>
    </li>
  );
}
