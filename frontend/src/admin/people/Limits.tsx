// The limits that administrators have set; they override those of portal.toml and of the site.
import { Button, Skeleton, Table } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { DataTable, TextCell, heads } from "~/ui/DataTable";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "~/ui/Table.module.css";
import { LimitDialog } from "./LimitDialog";
import { factsOf } from "./facts";
import { useLimits, useRemoveLimit, type LimitRow } from "./queries";

const words = strings.admin.people;

export function Limits() {
  const { data, error, refetch } = useLimits();
  const [editing, setEditing] = useState<LimitRow | "new" | null>(null);
  const [removing, setRemoving] = useState<LimitRow | null>(null);
  return (
    <section aria-label={words.limits}>
      <div className={classes["title"]}>
        <h2 className="section-title">{words.limits}</h2>
        <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setEditing("new")}>
          {words.make}
        </Button>
      </div>
      {data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={80} />}
      {data !== undefined && (
        <>
          <p className="quiet">{words.site(data.site.max_gpus, data.site.max_sessions, span(data.site.max_walltime_s))}</p>
          {data.configured.map((one) => (
            <p key={one.group} className="quiet">
              {words.configured(one.group, factsOf(one))}
            </p>
          ))}
          {data.items.length === 0 ? (
            <Empty>
              <p>{words.noLimits}</p>
            </Empty>
          ) : (
            <Rows items={data.items} onEdit={setEditing} onRemove={setRemoving} />
          )}
        </>
      )}
      {editing !== null && <LimitDialog subject={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {removing !== null && <RemoveDialog row={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

interface RowsProps {
  items: LimitRow[];
  onEdit: (row: LimitRow) => void;
  onRemove: (row: LimitRow) => void;
}

function Rows({ items, onEdit, onRemove }: RowsProps) {
  return (
    <DataTable label={words.limitsTable} heads={heads([words.whom, words.what, words.by, words.actions])}>
      {items.map((row) => (
        <Table.Tr key={`${row.kind} ${row.name}`}>
          <Table.Td>
            <span className={classes["name"]}>{row.name}</span>
            <span className={classes["beneath"]}>{words.kinds[row.kind]}</span>
          </Table.Td>
          <TextCell>{factsOf(row).join(" · ")}</TextCell>
          <Table.Td>{row.changed_by}</Table.Td>
          <Table.Td>
            <span className={classes["actions"]}>
              <Button size="xs" variant="default" aria-label={words.changeOf(row.name)} onClick={() => onEdit(row)}>
                {words.change}
              </Button>
              <Button size="xs" variant="default" aria-label={words.removeOf(row.name)} onClick={() => onRemove(row)}>
                {words.remove}
              </Button>
            </span>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function RemoveDialog({ row, onClose }: { row: LimitRow; onClose: () => void }) {
  const remove = useRemoveLimit();
  return (
    <Dialog opened onClose={onClose} title={words.removeTitle(row.name)} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>{words.removeText}</p>
      {remove.error !== null && <ProblemNote error={remove.error} title={words.failed} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="bad" loading={remove.isPending} onClick={() => remove.mutate(row, { onSuccess: onClose })}>
          {words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
