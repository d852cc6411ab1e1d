// The limits that Slurm itself sets, so that nobody sets them twice.
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Loaded } from "~/ui/Loaded";
import classes from "~/ui/table/List.module.css";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath } from "~/ui/table/cells";
import { useSlurmLimits, type SlurmLimit } from "./queries";

const words = strings.admin.people;

const COLUMNS: Column<SlurmLimit>[] = [
  {
    id: "whom",
    header: words.whom,
    cell: ({ kind, name, account, partition }) => (
      <>
        {name}
        <Beneath>{[words.slurmKinds[kind], account === "" ? "" : words.slurmIn(account, partition)].join(" ")}</Beneath>
      </>
    ),
  },
  {
    id: "what",
    header: words.what,
    cell: ({ limits }) => Object.entries(limits).map(([name, value]) => `${name}=${value}`).join(" · "),
    kind: "text",
  },
];

export function SlurmLimits() {
  return (
    <section>
      <div className={classes["title"]}>
        <h2 className="section-title">{words.slurm}</h2>
      </div>
      <Loaded query={useSlurmLimits()} height={80}>
        {({ enforced, items }) =>
          items.length === 0 ? (
            <Empty>
              <p>{words.slurmNone}</p>
            </Empty>
          ) : (
            <>
              <p className="quiet">{enforced ? words.slurmText : words.slurmIdle}</p>
              <DataTable label={words.slurm} rows={items} idOf={({ kind, name, account, partition }) => [kind, name, account, partition].join(" ")} columns={COLUMNS} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
