// What was deleted, and the way back.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { fileReads, type BinItem } from "~/api/files";
import { bytes } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { Loaded } from "~/ui/Loaded";
import { Page } from "~/ui/Page";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { useSelection } from "~/ui/table/useSelection";
import { EraseDialog } from "./EraseDialog";
import classes from "./Files.module.css";
import { Operations } from "./Operations";
import { OutcomeNote } from "./OutcomeNote";
import { parentOf } from "./folder";
import { useActs } from "./useActs";

const words = strings.files.bin;
const idOf = ({ id }: BinItem) => id;

const COLUMNS: Column<BinItem>[] = [
  { id: "name", header: strings.files.columns.name, cell: ({ name }) => <bdi>{name}</bdi>, kind: "text" },
  { id: "from", header: words.from, cell: ({ path }) => (path === "" ? words.unknown : parentOf(path)), kind: "text" },
  { id: "removed", header: words.when, cell: ({ removed }) => removed?.replace("T", " ") ?? words.unknown },
  { id: "size", header: strings.files.columns.size, cell: ({ kind, size }) => (kind === "folder" ? strings.files.folderKind : bytes(size)), kind: "number" },
];

export default function BinPage() {
  const acts = useActs();
  const selection = useSelection(idOf);
  /** What is to be deleted for good; empty: everything. */
  const [erasing, setErasing] = useState<string[] | null>(null);
  const query = useQuery(fileReads.bin);
  const restore = () => {
    acts.restore(selection.chosen.map(idOf));
    selection.clear();
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <Button variant="default" disabled={query.data?.items.length === 0} onClick={() => setErasing([])}>
            {strings.files.erase.doEmpty}
          </Button>
          <PageButton variant="default" to={pages.files()}>
            {words.back}
          </PageButton>
        </>
      }
    >
      <Operations acts={acts} />
      <OutcomeNote acts={acts} />
      <Loaded query={query} height={240}>
        {({ items, truncated }) => (
          <>
            {items.length === 0 ? (
              <Empty>{words.empty}</Empty>
            ) : (
              <DataTable label={words.title} rows={items} idOf={idOf} columns={COLUMNS} nameOf={({ name }) => name} selection={selection} />
            )}
            {truncated && <p className="quiet small">{words.truncated}</p>}
          </>
        )}
      </Loaded>
      {selection.chosen.length > 0 && (
        <section className={`card ${classes["acts"]}`} aria-label={strings.files.actions.bar}>
          <strong role="status">{strings.files.actions.selected(selection.chosen.length)}</strong>
          <Button size="xs" onClick={restore}>
            {words.restore}
          </Button>
          <Button size="xs" variant="default" onClick={() => setErasing(selection.chosen.map(idOf))}>
            {strings.files.actions.erase}
          </Button>
          <Button size="xs" variant="subtle" onClick={selection.clear}>
            {strings.files.actions.clear}
          </Button>
        </section>
      )}
      {erasing !== null && (
        <EraseDialog
          count={erasing.length}
          onErase={() => {
            acts.empty(erasing);
            selection.clear();
          }}
          onClose={() => setErasing(null)}
        />
      )}
    </Page>
  );
}
