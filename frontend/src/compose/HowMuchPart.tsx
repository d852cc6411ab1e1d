// How much: nodes and resources per node, time limit, and partition.
import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";

import { gb, gbToMib, mibToGb } from "~/lib/size";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import { Field, Section, marked } from "~/ui/Section";
import section from "~/ui/Section.module.css";
import { Stepper } from "~/ui/Stepper";
import { poolCells, poolLabel } from "~/ui/cells";
import classes from "./ComposeForm.module.css";
import { JobFitNote } from "./JobFitNote";
import { TimeLimit } from "./TimeLimit";
import { orNull, type PartProps } from "./part";

const words = strings.compose;
const MOST = 9_999;

export function HowMuchPart(props: PartProps) {
  const { form, options, problems, change } = props;
  const partition = options?.partitions.find(({ name }) => name === form.partition);
  const node = partition?.per_node;
  const pools = partition?.gpus ?? [];
  const pool = pools.find(({ type }) => type === form.gpu_type) ?? (pools.length === 1 ? pools[0] : undefined);
  return (
    <Section title={words.howMuch}>
      <div className={section["pair"]}>
        <div {...marked(problems["partition"])}>
          <NativeSelect
            label={words.partition}
            error={problems["partition"] ?? partition?.reason}
            value={form.partition ?? ""}
            onChange={(event) => change({ partition: orNull(event.currentTarget.value) })}
            data={choices(options?.partitions.map(({ name, available }) => ({ value: name, label: name, disabled: !available })), form.partition)}
          />
        </div>
        {(options?.accounts.length ?? 0) > 0 && (
          <div {...marked(problems["account"])}>
            <NativeSelect
              label={words.account}
              error={problems["account"]}
              value={form.account ?? ""}
              onChange={(event) => change({ account: orNull(event.currentTarget.value) })}
              data={[
                { value: "", label: strings.launch.accountDefault },
                ...choices(options?.accounts.map(({ name }) => ({ value: name, label: name })), form.account),
              ]}
            />
          </div>
        )}
      </div>
      <div className={classes["steppers"]}>
        <Count {...props} field="nodes" says={[words.nodes, words.nodesFewer, words.nodesMore]} most={partition?.nodes.total} />
        <Count {...props} field="tasks_per_node" says={[words.tasks, words.tasksFewer, words.tasksMore]} />
        <Count {...props} field="cpus_per_task" says={[words.cpus, words.cpusFewer, words.cpusMore]} most={node?.cpus} />
        <Count {...props} field="gpus_per_node" says={[words.gpus, words.gpusFewer, words.gpusMore]} most={node?.gpus} />
      </div>
      {node !== undefined && partition !== undefined && (
        <p className="quiet small" style={{ margin: 0 }}>
          {words.nodeHas(partition.name, node.gpus, node.cpus, gb(node.memory_mib))}{" "}
          {pool !== undefined && (
            <>
              <GpuCells cells={poolCells(pool, form.nodes * form.gpus_per_node, true)} label={poolLabel(pool, 0)} most={24} />{" "}
              {strings.launch.freeNow(pool.free, pool.total)}
            </>
          )}
        </p>
      )}
      <div className={section["pair"]}>
        {pools.length > 1 && form.gpus_per_node > 0 && (
          <div {...marked(problems["gpu_type"])}>
            <NativeSelect
              label={words.gpuType}
              error={problems["gpu_type"]}
              value={form.gpu_type ?? ""}
              onChange={(event) => change({ gpu_type: orNull(event.currentTarget.value) })}
              data={[
                { value: "", label: words.gpuTypeAny },
                ...pools.map(({ type, free, total }) => ({ value: type, label: `${type.toUpperCase()} · ${strings.launch.freeNow(free, total)}` })),
              ]}
            />
          </div>
        )}
        <MemoryField {...props} />
      </div>
      <TimeLimit {...props} partition={partition} />
      <JobFitNote {...props} />
    </Section>
  );
}

/** Keeps partial input as it is: "0." is the start of a number. */
function MemoryField({ form, problems, change }: PartProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { memory_mib_per_node: known } = form;
  return (
    <div {...marked(problems["memory_mib_per_node"])}>
      <TextInput
        type="number"
        min={0}
        step="any"
        label={words.memory}
        description={words.memoryHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={problems["memory_mib_per_node"]}
        value={typed ?? (known === null ? "" : mibToGb(known))}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          change({ memory_mib_per_node: memoryOf(event.currentTarget.value) });
        }}
      />
    </div>
  );
}

type CountField = "nodes" | "tasks_per_node" | "cpus_per_task" | "gpus_per_node";

interface CountProps extends PartProps {
  field: CountField;
  /** Label, and the names of the buttons. */
  says: [string, string, string];
  most?: number | undefined;
}

function Count({ form, problems, change, field, says: [label, fewer, more], most = MOST }: CountProps) {
  const least = field === "gpus_per_node" ? 0 : 1;
  const set = (value: number) => {
    const count = Math.max(least, value);
    const changes: Record<CountField, Parameters<typeof change>[0]> = {
      nodes: { nodes: count },
      tasks_per_node: { tasks_per_node: count },
      cpus_per_task: { cpus_per_task: count },
      gpus_per_node: { gpus_per_node: count, ...(count > 0 ? { shards_per_node: 0, mps_per_node: 0 } : {}) },
    };
    change(changes[field]);
  };
  return (
    <Field label={label} problem={problems[field]}>
      <Stepper label={label} value={form[field] ?? 1} most={most} fewer={fewer} more={more} invalid={problems[field] !== undefined} onChange={set} />
    </Field>
  );
}

type Choice = { value: string; label: string; disabled?: boolean };

/** The chosen value stays an option, whether the site knows it or not: a pasted script may name anything. */
function choices(known: Choice[] | undefined, chosen: string | null): Choice[] {
  const all = known ?? [];
  return chosen === null || all.some(({ value }) => value === chosen) ? all : [...all, { value: chosen, label: chosen }];
}

function memoryOf(text: string): number | null {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) || value <= 0 || value > 1e6 ? null : gbToMib(value);
}
