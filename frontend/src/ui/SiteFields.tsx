// What else Slurm can be asked for, where the site has it: part of a GPU, features of nodes, licences, a WCKey, whole
// nodes. The same in New session, New job and the change of a waiting session.
import { Checkbox, NativeSelect, NumberInput, Switch } from "@mantine/core";

import type { Options, Partition } from "~/api/types";
import { strings } from "~/strings/en";
import { Field, marked } from "./Section";
import classes from "./SiteFields.module.css";
import { featuresOf, licensesOf, mostShards, partChoices, writeLicenses, type SiteAsked } from "./siteAsked";

const words = strings.siteFields;

interface SiteFieldsProps {
  options: Options | undefined;
  partition: Partition | undefined;
  gpuType: string | null;
  value: SiteAsked;
  /** Messages by the names of `value`. */
  problems: Partial<Record<keyof SiteAsked, string | undefined>>;
  change: (change: Partial<SiteAsked>) => void;
}

export function SiteFields(props: SiteFieldsProps) {
  return (
    <>
      <PartOfGpu {...props} />
      <Features {...props} />
      <Licenses {...props} />
      <WCKey {...props} />
      <WholeNode {...props} />
    </>
  );
}

function PartOfGpu({ partition, gpuType, value, problems, change }: SiteFieldsProps) {
  const choices = partChoices(partition, gpuType, value);
  if (choices.length === 0) return null;
  const all = [{ shards: 0, mps: 0 }, ...choices];
  const problem = problems.shards ?? problems.mps;
  return (
    <div {...marked(problem)}>
      <NativeSelect
        label={words.shards}
        error={problem}
        value={all.findIndex(({ shards, mps }) => shards === value.shards && mps === value.mps)}
        data={all.map(({ shards, mps }, index) => ({
          value: String(index),
          label: shards > 0 ? words.shardsOf(shards, mostShards(partition, gpuType)) : mps > 0 ? words.mpsOf(mps) : words.whole,
        }))}
        onChange={(event) => {
          const part = all[Number(event.currentTarget.value)] ?? { shards: 0, mps: 0 };
          change({ ...part, ...(part.shards + part.mps > 0 ? { exclusive: false } : {}) });
        }}
      />
    </div>
  );
}

function Features({ partition, value, problems, change }: SiteFieldsProps) {
  const chosen = featuresOf(value.constraint);
  const known = partition?.features ?? [];
  const others = chosen.filter((name) => known.every((feature) => feature.name !== name)).map((name) => ({ name, nodes: null }));
  if (known.length + others.length === 0) return null;
  const set = (name: string, on: boolean) => change({ constraint: (on ? [...chosen, name] : chosen.filter((each) => each !== name)).join("&") });
  return (
    <div className={classes["wide"]}>
      <Field label={words.features} hint={words.featuresHint} problem={problems.constraint}>
        <div className={classes["choices"]}>
          {[...known, ...others].map(({ name, nodes }) => (
            <Checkbox
              key={name}
              size="sm"
              label={nodes === null ? name : words.feature(name, nodes)}
              checked={chosen.includes(name)}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Field>
    </div>
  );
}

function Licenses({ options, value, problems, change }: SiteFieldsProps) {
  const counts = licensesOf(value.licenses);
  const known = options?.licenses ?? [];
  const others = [...counts.keys()].filter((name) => known.every((each) => each.name !== name)).map((name) => ({ name, total: 0, free: 0 }));
  if (known.length + others.length === 0) return null;
  return (
    <div className={classes["wide"]}>
      <Field label={words.licenses} problem={problems.licenses}>
        <div className={classes["choices"]}>
          {[...known, ...others].map(({ name, total, free }) => (
            <NumberInput
              key={name}
              className={classes["license"] ?? ""}
              inputWrapperOrder={["label", "input", "description", "error"]}
              label={name}
              description={words.free(free, total)}
              min={0}
              max={Math.max(total, counts.get(name) ?? 0)}
              allowDecimal={false}
              value={counts.get(name) ?? 0}
              onChange={(count) => change({ licenses: writeLicenses(new Map(counts).set(name, Number(count) || 0)) })}
            />
          ))}
        </div>
      </Field>
    </div>
  );
}

function WCKey({ options, value, problems, change }: SiteFieldsProps) {
  const known = options?.wckeys ?? [];
  if (known.length === 0 && value.wckey === "") return null;
  const all = value.wckey === "" || known.includes(value.wckey) ? known : [...known, value.wckey];
  return (
    <div {...marked(problems.wckey)}>
      <NativeSelect
        label={words.wckey}
        error={problems.wckey}
        value={value.wckey}
        data={[{ value: "", label: words.wckeyDefault }, ...all]}
        onChange={(event) => change({ wckey: event.currentTarget.value })}
      />
    </div>
  );
}

function WholeNode({ partition, value, problems, change }: SiteFieldsProps) {
  const always = partition?.whole_nodes === true;
  return (
    <div className={classes["switch"]} {...marked(problems.exclusive)}>
      <Switch
        label={words.exclusive}
        aria-label={words.exclusive} // the label holds the description as well
        description={always ? words.exclusiveAlways(partition.name) : words.exclusiveHint}
        disabled={always}
        checked={always || value.exclusive}
        onChange={(event) => change({ exclusive: event.currentTarget.checked, ...(event.currentTarget.checked ? { shards: 0, mps: 0 } : {}) })}
      />
    </div>
  );
}
