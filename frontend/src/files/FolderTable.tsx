// The entries of a folder, as the server sorts them.
import { FileDirectoryFillIcon, FileIcon } from "@primer/octicons-react";
import { useMemo } from "react";

import type { FileEntry } from "~/api/types";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import { DataTable, type Column } from "~/ui/table/DataTable";
import type { Selection } from "~/ui/table/useSelection";
import classes from "./Files.module.css";

const words = strings.files;

interface FolderTableProps {
  rows: readonly FileEntry[];
  sort: string;
  onSort: (sort: string) => void;
  selection: Selection<FileEntry>;
  opened: string;
  onOpen: (entry: FileEntry) => void;
}

export const entryId = ({ name }: FileEntry) => name;

export function FolderTable({ onOpen, ...table }: FolderTableProps) {
  const columns = useMemo(() => columnsFor(onOpen), [onOpen]);
  return <DataTable label={words.label} idOf={entryId} columns={columns} ordered {...table} />;
}

const columnsFor = (onOpen: (entry: FileEntry) => void): Column<FileEntry>[] => [
  {
    id: "name",
    header: words.columns.name,
    value: ({ name }) => name,
    cell: (entry) => (
      <button type="button" className={classes["name"]} data-control="link" data-name={entry.name} onClick={() => onOpen(entry)}>
        {entry.kind === "folder" ? <FileDirectoryFillIcon aria-label={words.folderKind} /> : <FileIcon aria-label={words.fileKind} />}
        <bdi>{entry.name}</bdi>
        {entry.link && <span className="quiet small">{words.link}</span>}
      </button>
    ),
    kind: "text",
  },
  {
    id: "size",
    header: words.columns.size,
    value: ({ size }) => size,
    cell: ({ kind, size }) => (kind === "file" ? bytes(size) : kind === "other" ? words.otherKind : ""),
    kind: "number",
    downFirst: true,
  },
  {
    id: "modified",
    header: words.columns.modified,
    value: ({ modified }) => modified,
    cell: ({ modified }) => modified !== null && <Time at={modified} />,
    downFirst: true,
  },
  { id: "owner", header: words.columns.owner, cell: ({ owner }) => owner, wide: true },
  { id: "access", header: words.columns.access, cell: ({ mode }) => mode, kind: "mono", wide: true },
];
