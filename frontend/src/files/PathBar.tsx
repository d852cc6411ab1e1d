// The way to the folder as links; it can be typed over.
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { ArrowUpIcon, PencilIcon, StarFillIcon, StarIcon } from "@primer/octicons-react";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router-dom";

import { above } from "~/lib/path";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { useStarred } from "~/ui/files/ownFolders";
import classes from "./Files.module.css";
import { crumbsOf, typedPath } from "./folder";

const words = strings.files;

export function PathBar({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [starred, toggle] = useStarred();
  const star = starred.includes(path);
  const up = above(path);
  if (typed !== null) {
    const go = (event: SubmitEvent) => {
      event.preventDefault();
      onGo(typedPath(typed));
      setTyped(null);
    };
    return (
      <form className={classes["path"]} onSubmit={go}>
        <TextInput
          // The user has just asked for this field.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          className={classes["typed"] ?? ""}
          aria-label={words.path}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && setTyped(null)}
        />
        <Button type="submit" variant="default">
          {words.go}
        </Button>
        <Button variant="subtle" onClick={() => setTyped(null)}>
          {words.cancel}
        </Button>
      </form>
    );
  }
  return (
    <nav className={classes["path"]} aria-label={words.crumbs}>
      <ActionIcon aria-label={words.up} title={words.up} disabled={up === null} onClick={() => up !== null && onGo(up)}>
        <ArrowUpIcon />
      </ActionIcon>
      <ol className={classes["crumbs"]}>
        {crumbsOf(path).map((crumb) => (
          <li key={crumb.path}>
            <Link to={pages.files(crumb.path)} aria-current={crumb.path === path ? "page" : undefined}>
              {crumb.name}
            </Link>
          </li>
        ))}
      </ol>
      <ActionIcon aria-label={words.edit} title={words.edit} onClick={() => setTyped(path)}>
        <PencilIcon />
      </ActionIcon>
      <ActionIcon aria-label={words.star} title={words.starKept} aria-pressed={star} onClick={() => toggle(path)}>
        {star ? <StarFillIcon /> : <StarIcon />}
      </ActionIcon>
    </nav>
  );
}
