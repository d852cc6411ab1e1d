// A table in a card that scrolls sideways if it is wide; on a phone its rows become cards, each value with its name.
// Numbers align with their headers.
import { Table } from "@mantine/core";
import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";
import type { CSSProperties, ReactNode } from "react";

import classes from "./Table.module.css";

export interface Head {
  title: string;
  /** Whether the column holds numbers. */
  number?: boolean;
  /** What it means, shown on hover. */
  hover?: string;
  /** The current sort by this column, and how to change it. */
  sort?: { order: "ascending" | "descending" | "none"; onSort: () => void };
}

/** Headers of number columns among others: `figures` names them. */
export const heads = (titles: readonly string[], figures: readonly string[] = []): Head[] =>
  titles.map((title) => ({ title, number: figures.includes(title) }));

interface DataTableProps {
  label: string;
  heads: readonly Head[];
  /** The control that selects all rows, above those that select one. */
  choose?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}

export function DataTable({ label, heads, choose = null, children, foot }: DataTableProps) {
  return (
    <div className={`card ${classes["frame"]}`} tabIndex={0} role="region" aria-label={label}>
      <Table className={classes["table"] ?? ""} data-choose={choose !== null || undefined} style={namesOf(heads, choose === null ? 1 : 2)}>
        <Table.Thead>
          <Table.Tr>
            {choose !== null && <Table.Th>{choose}</Table.Th>}
            {heads.map((head) => (
              <HeadCell key={head.title} head={head} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
        {foot !== undefined && <Table.Tfoot>{foot}</Table.Tfoot>}
      </Table>
    </div>
  );
}

/** The columns' names for the style sheet, which shows them beside the values where there are no headers. */
const namesOf = (heads: readonly Head[], first: number) =>
  Object.fromEntries(heads.map(({ title }, index) => [`--head-${index + first}`, JSON.stringify(title)])) as CSSProperties;

function HeadCell({ head: { title, number = false, hover, sort } }: { head: Head }) {
  const className = (number && classes["number"]) || "";
  if (sort === undefined) {
    return (
      <Table.Th title={hover} className={className}>
        {title}
      </Table.Th>
    );
  }
  return (
    <Table.Th aria-sort={sort.order} className={className}>
      <button type="button" className={classes["sort"]} title={hover} onClick={sort.onSort}>
        {title}
        {sort.order === "descending" && <ChevronDownIcon size={12} />}
        {sort.order === "ascending" && <ChevronUpIcon size={12} />}
      </button>
    </Table.Th>
  );
}

/** A cell of running text, which may wrap. */
export function TextCell({ children }: { children: ReactNode }) {
  return <Table.Td className={classes["text"] ?? ""}>{children}</Table.Td>;
}

export function NumberCell({ children }: { children: ReactNode }) {
  return <Table.Td className={classes["number"] ?? ""}>{children}</Table.Td>;
}
