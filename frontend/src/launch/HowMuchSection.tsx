import { NativeSelect } from "@mantine/core";

import type { Partition } from "~/api/types";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Offer } from "~/ui/Offer";
import { Section, marked } from "~/ui/Section";
import classes from "~/ui/Section.module.css";
import { FitNote } from "./FitNote";
import { GpuField } from "./GpuField";
import { ReservationField } from "./ReservationField";
import { TimeField } from "./TimeField";
import type { PartProps } from "./part";

export function HowMuchSection(props: PartProps) {
  const { draft, options, view, problems, change } = props;
  return (
    <Section title={strings.launch.howMuch}>
      <ReservationField {...props} />
      <GpuField {...props} />
      <FitNote {...props} />
      <TimeField {...props} />
      {draft.avoid !== null && (
        <Offer why={strings.launch.avoids(draft.avoid)} take={strings.launch.avoidNot} onTake={() => change({ avoid: null })} />
      )}
      <div className={classes["pair"]}>
        <div {...marked(problems["partition"])}>
          <NativeSelect
            label={strings.launch.partition}
            description={view.partition?.reason}
            error={problems["partition"]}
            inputWrapperOrder={["label", "input", "description", "error"]}
            value={view.partition?.name ?? ""}
            onChange={(event) => change({ partition: event.currentTarget.value })}
            data={options.partitions.map((partition) => ({
              value: partition.name,
              label: partitionChoice(partition),
              disabled: !partition.available,
            }))}
          />
        </div>
        {options.accounts.length > 0 && (
          <div {...marked(problems["account"])}>
            <NativeSelect
              label={strings.launch.account}
              error={problems["account"]}
              value={draft.account ?? view.resources.account ?? ""}
              onChange={(event) => change({ account: event.currentTarget.value })}
              data={options.accounts.map((account) => ({
                value: account.name,
                label: account.default ? `${account.name} (${strings.launch.accountDefault})` : account.name,
              }))}
            />
          </div>
        )}
      </div>
    </Section>
  );
}

function partitionChoice(partition: Partition): string {
  if (!partition.available) return strings.launch.partitionChoice(partition.name, [strings.launch.partitionClosed]);
  const free = partition.gpus.reduce((sum, pool) => sum + pool.free, 0);
  const parts = [
    partition.max_walltime_s === null ? null : strings.launch.partitionUpTo(span(partition.max_walltime_s)),
    partition.gpus.length === 0 ? null : strings.launch.partitionFree(free),
  ];
  return strings.launch.partitionChoice(partition.name, parts.filter((part) => part !== null));
}
