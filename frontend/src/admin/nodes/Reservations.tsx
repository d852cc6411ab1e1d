// Slurm's reservations: nodes set aside for some users, for a class or for maintenance.
import { Button, Skeleton, Table } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import { fromThrown } from "~/api/errors";
import { useSite } from "~/api/queries";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { DataTable, TextCell, heads } from "~/ui/DataTable";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "~/ui/Table.module.css";
import { ReserveDialog } from "./ReserveDialog";
import { useReservations, useUnreserve, type Reservation } from "./queries";

const words = strings.admin.reservations;

export function Reservations() {
  const slurm = useSite().data?.slurm;
  const down = slurm?.state === "down";
  const { data, error, refetch } = useReservations(slurm !== undefined && !down);
  const now = useNow(60);
  const since = slurm?.since == null ? "" : clock(slurm.since, now);
  const [making, setMaking] = useState(false);
  return (
    <section aria-label={words.title}>
      <div className={classes["title"]}>
        <h2 className="section-title">{words.title}</h2>
        <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setMaking(true)}>
          {words.make}
        </Button>
      </div>
      {down && <p className="quiet">{data === undefined ? words.unknown(since) : words.stale(since)}</p>}
      {!down && data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {!down && data === undefined && error === null && <Skeleton height={80} />}
      {data?.items.length === 0 && (
        <Empty>
          <p>{words.none}</p>
        </Empty>
      )}
      {data !== undefined && data.items.length > 0 && <Rows items={data.items} />}
      {making && <ReserveDialog onClose={() => setMaking(false)} />}
    </section>
  );
}

function Rows({ items }: { items: Reservation[] }) {
  const now = useNow(30);
  const [deleting, setDeleting] = useState<string | null>(null);
  return (
    <>
      <DataTable label={words.table} heads={heads([words.name, words.when, words.nodes, words.whom, words.flags, words.actions])}>
        {items.map((one) => (
          <Table.Tr key={one.name}>
            <Table.Td className={classes["name"] ?? ""}>{one.name}</Table.Td>
            <Table.Td>
              {one.starts_at !== null && one.ends_at !== null && words.span(clock(one.starts_at, now), clock(one.ends_at, now))}
            </Table.Td>
            <TextCell>{words.nodesOf(one.node_count, one.nodes)}</TextCell>
            <TextCell>{[...one.users, ...one.accounts].join(", ")}</TextCell>
            <Table.Td className="mono">{one.flags.join(", ")}</Table.Td>
            <Table.Td>
              <Button size="xs" variant="default" aria-label={words.deleteOf(one.name)} onClick={() => setDeleting(one.name)}>
                {words.delete}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {deleting !== null && <DeleteDialog name={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const unreserve = useUnreserve();
  return (
    <Dialog opened onClose={onClose} title={words.deleteTitle(name)} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>{words.deleteText}</p>
      {unreserve.error !== null && <ProblemNote error={fromThrown(unreserve.error)} title={words.deleteFailed} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="bad" loading={unreserve.isPending} onClick={() => unreserve.mutate(name, { onSuccess: onClose })}>
          {words.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
