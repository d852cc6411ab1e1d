import { Button } from "@mantine/core";
import { FileDiffIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import type { Template } from "~/api/types";
import { pages, pictures } from "~/paths";
import { strings } from "~/strings/en";
import { Needs } from "./Needs";
import classes from "./TemplateCard.module.css";

const words = strings.templates;

interface TemplateCardProps {
  template: Template;
  /** Whether the user changed an earlier version of it. */
  newer: boolean;
  onOpen: () => void;
}

export function TemplateCard({ template, newer, onOpen }: TemplateCardProps) {
  const titleId = `template-${template.id}`;
  return (
    <li className={`card ${classes["card"]}`} aria-labelledby={titleId}>
      {template.has_outputs && (
        <div className={classes["picture"]}>
          <img src={pictures.template(template.id)} alt="" loading="lazy" />
        </div>
      )}
      <div className={classes["body"]}>
        <p className={classes["kind"]}>
          <strong>{template.framework}</strong> · {template.task}
          {template.not_run !== "" && ` · ${words.notRunHere}`}
        </p>
        <h2 className={classes["title"]} id={titleId}>
          <Link to={pages.template(template.id)}>{template.title}</Link>
        </h2>
        {newer && (
          <p className={classes["newer"]}>
            <Link to={pages.difference(template.id)} aria-label={strings.copies.newerOf(template.title)}>
              <FileDiffIcon /> {strings.copies.newer}
            </Link>
          </p>
        )}
        <p className={classes["text"]}>{template.description}</p>
        <p className={classes["needs"]}>
          <Needs template={template} />
        </p>
        <div className={classes["foot"]}>
          <span className={classes["environment"]}>{whereOf(template)}</span>
          <Button size="xs" variant="default" onClick={onOpen} aria-label={`${words.open}: ${template.title}`}>
            {words.open}
          </Button>
        </div>
      </div>
    </li>
  );
}

/** What it runs in, or what it lacks here. */
function whereOf({ available, environment_title, image }: Template): string {
  if (available) return environment_title ?? words.notebookEnvironment;
  return environment_title === null ? words.needsImageShort(image) : words.needsEnvironment(environment_title);
}
