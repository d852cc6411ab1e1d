// Turns the pages of a list that the portal pages.
import { Button } from "@mantine/core";
import { ChevronLeftIcon, ChevronRightIcon } from "@primer/octicons-react";

import { strings } from "~/strings/en";
import classes from "./table/DataTable.module.css";

const words = strings.pages;

interface PagesProps {
  label: string;
  offset: number;
  /** Rows per page. */
  size: number;
  total: number;
  onOffset: (offset: number) => void;
}

export function Pages({ label, offset, size, total, onOffset }: PagesProps) {
  return (
    <nav className={classes["bulk"]} aria-label={label}>
      <span>{words.range(offset + 1, Math.min(offset + size, total), total.toLocaleString(strings.locale))}</span>
      <Button variant="default" size="xs" aria-label={words.previous} disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - size))}>
        <ChevronLeftIcon />
      </Button>
      <Button variant="default" size="xs" aria-label={words.next} disabled={offset + size >= total} onClick={() => onOffset(offset + size)}>
        <ChevronRightIcon />
      </Button>
    </nav>
  );
}
