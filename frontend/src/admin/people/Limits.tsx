// The limits that administrators have set; they override those of portal.toml and of the site.
import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { Empty } from "~/ui/Empty";
import { Loaded } from "~/ui/Loaded";
import { ProblemNote } from "~/ui/ProblemNote";
import { DataTable, type Column } from "~/ui/table/DataTable";
import classes from "~/ui/table/List.module.css";
import { Beneath } from "~/ui/table/cells";
import { LimitDialog } from "./LimitDialog";
import { factsOf } from "./facts";
import { useLimits, useRemoveLimit, type LimitRow } from "./queries";

const words = strings.admin.people;

export function Limits() {
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
      <Loaded query={useLimits()} height={80}>
        {({ site, configured, items }) => (
          <>
            <p className="quiet">{words.site(site.max_gpus, site.max_sessions, span(site.max_walltime_s))}</p>
            {configured.map((limit) => (
              <p key={limit.group} className="quiet">
                {words.configured(limit.group, factsOf(limit))}
              </p>
            ))}
            {items.length === 0 ? (
              <Empty>
                <p>{words.noLimits}</p>
              </Empty>
            ) : (
              <DataTable label={words.limitsTable} rows={items} idOf={({ kind, name }) => `${kind} ${name}`} columns={columnsOf(setEditing, setRemoving)} />
            )}
          </>
        )}
      </Loaded>
      {editing !== null && <LimitDialog subject={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {removing !== null && <RemoveDialog row={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

const columnsOf = (onEdit: (row: LimitRow) => void, onRemove: (row: LimitRow) => void): Column<LimitRow>[] => [
  {
    id: "whom",
    header: words.whom,
    cell: (row) => (
      <>
        {row.name}
        <Beneath>{words.kinds[row.kind]}</Beneath>
      </>
    ),
  },
  { id: "what", header: words.what, cell: (row) => factsOf(row).join(" · "), kind: "text" },
  { id: "by", header: words.by, value: ({ changed_by }) => changed_by },
  {
    id: "actions",
    header: words.actions,
    cell: (row) => (
      <span className={classes["actions"]}>
        <Button size="xs" variant="default" aria-label={words.changeOf(row.name)} onClick={() => onEdit(row)}>
          {words.change}
        </Button>
        <Button size="xs" variant="default" aria-label={words.removeOf(row.name)} onClick={() => onRemove(row)}>
          {words.remove}
        </Button>
      </span>
    ),
  },
];

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
