// Slurm's reservations: nodes set aside for some users, for a class or for maintenance.
import { Button, Skeleton } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import { fromThrown } from "~/api/errors";
import { useSite } from "~/api/queries";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { CopyReservationLink } from "~/ui/CopyReservationLink";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import { useReservations, useUnreserve, type Reservation } from "~/ui/operate/nodes";
import { DataTable, type Column } from "~/ui/table/DataTable";
import classes from "~/ui/table/List.module.css";
import { ChangeReservationDialog } from "./ChangeReservationDialog";
import { ReserveDialog } from "./ReserveDialog";

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

const idOf = ({ name }: Reservation) => name;

function Rows({ items }: { items: readonly Reservation[] }) {
  const now = useNow(30);
  const [changing, setChanging] = useState<Reservation | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const columns: Column<Reservation>[] = [
    { id: "name", header: words.name, value: idOf },
    {
      id: "when",
      header: words.when,
      cell: ({ starts_at, ends_at }) => starts_at !== null && ends_at !== null && words.span(clock(starts_at, now), clock(ends_at, now)),
    },
    { id: "nodes", header: words.nodes, cell: (reservation) => words.nodesOf(reservation.node_count, reservation.nodes), kind: "text" },
    { id: "whom", header: words.whom, cell: ({ users, accounts }) => [...users, ...accounts].join(", "), kind: "text" },
    { id: "flags", header: words.flags, cell: ({ flags }) => flags.join(", "), kind: "mono" },
    {
      id: "actions",
      header: words.actions,
      cell: (reservation) => (
        <div className={classes["actions"]}>
          <CopyReservationLink name={reservation.name} />
          <Button size="xs" variant="default" aria-label={words.changeOf(reservation.name)} onClick={() => setChanging(reservation)}>
            {words.change}
          </Button>
          <Button size="xs" variant="default" aria-label={words.deleteOf(reservation.name)} onClick={() => setDeleting(reservation.name)}>
            {words.delete}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      <DataTable label={words.table} rows={items} idOf={idOf} columns={columns} />
      {changing !== null && <ChangeReservationDialog reservation={changing} onClose={() => setChanging(null)} />}
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
