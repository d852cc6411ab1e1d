// Current, planned and past announcements, with a form to create and edit them.
import { Button, Skeleton } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { AnnouncementCard } from "./AnnouncementCard";
import { AnnouncementForm } from "./AnnouncementForm";
import classes from "./AnnouncementsPage.module.css";
import { useAnnouncementRows, type AnnouncementRow } from "./queries";

const words = strings.admin.announcements;

export default function AnnouncementsPage() {
  const [writing, setWriting] = useState<AnnouncementRow | "new" | null>(null);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        writing === null && (
          <Button leftSection={<PlusIcon />} onClick={() => setWriting("new")}>
            {words.make}
          </Button>
        )
      }
    >
      {writing !== null && (
        <AnnouncementForm
          key={writing === "new" ? "new" : writing.id}
          row={writing === "new" ? null : writing}
          onDone={() => setWriting(null)}
        />
      )}
      <Rows onChange={setWriting} />
    </Page>
  );
}

function Rows({ onChange }: { onChange: (row: AnnouncementRow) => void }) {
  const { data, error, refetch } = useAnnouncementRows();
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={160} mt="md" />;
  }
  const current = data.items.filter(({ state }) => state !== "over");
  const past = data.items.filter(({ state }) => state === "over");
  return (
    <>
      <List title={words.current} items={current} onChange={onChange} empty={data.items.length === 0 ? words.empty : words.none} />
      {past.length > 0 && <List title={words.past} items={past} onChange={onChange} />}
    </>
  );
}

interface ListProps {
  title: string;
  items: AnnouncementRow[];
  onChange: (row: AnnouncementRow) => void;
  empty?: string;
}

function List({ title, items, onChange, empty = "" }: ListProps) {
  return (
    <section className={classes["list"]} aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {items.length === 0 && (
        <Empty>
          <p>{empty}</p>
        </Empty>
      )}
      {items.map((row) => (
        <AnnouncementCard key={row.id} row={row} onChange={() => onChange(row)} />
      ))}
    </section>
  );
}
