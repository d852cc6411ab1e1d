// Rarely needed fields: more nodes, QOS, reservation, cores and memory set by hand.
import { TextInput } from "@mantine/core";
import { useState } from "react";

import { gbToMib, mibToGb } from "~/lib/size";
import { strings } from "~/strings/en";
import { FoldedSection } from "~/ui/FoldedSection";
import { ModulesField } from "~/ui/ModulesField";
import { QosField } from "~/ui/QosField";
import { marked } from "~/ui/Section";
import { SiteFields } from "~/ui/SiteFields";
import { partChoices } from "~/ui/siteAsked";
import classes from "./AdvancedSection.module.css";
import type { PartProps } from "./part";

const words = strings.launch;
const LISTS = [words.nodes, words.qos, words.reservation, words.cpus, strings.apps.modules];
const SITE = ["shards", "mps_percent", "constraint", "licenses", "wckey", "exclusive"] as const;

export function AdvancedSection(props: PartProps) {
  const { draft, problems } = props;
  const used =
    draft.nodes !== null || draft.qos !== "" || asksOfSite(draft) || isTyped(draft, props.options) || draft.modules.length > 0 || !props.view.linked;
  const wrong = [...SITE, "nodes", "qos", "reservation", "cpus", "memory_mib", "modules"].some((field) => field in problems);
  const [opened, setOpened] = useState(false);
  const open = opened || used || wrong;
  return (
    <FoldedSection title={words.advanced} lists={listed(props)} open={open} onToggle={() => setOpened(!open)}>
      <AdvancedFields {...props} />
    </FoldedSection>
  );
}

const asksOfSite = ({ shards, mps, constraint, licenses, wckey, exclusive }: PartProps["draft"]) =>
  shards !== null || mps !== null || exclusive || [constraint, licenses, wckey].some((text) => text !== "");

/** What there is to choose here, in a line. */
function listed({ options, view: { partition } }: PartProps): string {
  const site = strings.siteFields;
  const there = [
    partChoices(partition, null, { shards: 0, mps: 0 }).length > 0 ? site.shards : null,
    (partition?.features.length ?? 0) > 0 ? site.features : null,
    options.licenses.length > 0 ? site.licenses : null,
    options.wckeys.length > 0 ? site.wckey : null,
  ];
  return [...LISTS, ...there.filter((part) => part !== null), site.exclusive].join(", ");
}

/** Whether the reservation is missing from those that the form offers. */
const isTyped = ({ reservation }: PartProps["draft"], { reservations }: PartProps["options"]) =>
  reservation !== "" && reservations.every(({ name }) => name !== reservation);

function AdvancedFields({ draft, options, view, problems, change }: PartProps) {
  const { max_nodes } = options.policy;
  const typed = isTyped(draft, options);
  return (
    <div className={classes["fields"]}>
      <div {...marked(problems["nodes"])}>
        <TextInput
          type="number"
          label={words.nodes}
          description={words.nodesHint(max_nodes)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={problems["nodes"]}
          min={1}
          disabled={max_nodes <= 1}
          value={draft.nodes ?? 1}
          onChange={(event) => change({ nodes: wholeOrNull(event.currentTarget.value) })}
        />
      </div>
      <div {...marked(problems["cpus"])}>
        <TextInput
          type="number"
          label={words.cpus}
          error={problems["cpus"]}
          min={1}
          value={view.resources.cpus}
          onChange={(event) => change({ cpus: wholeOrNull(event.currentTarget.value) })}
        />
      </div>
      <div {...marked(problems["memory_mib"])}>
        <TextInput
          type="number"
          label={words.memory}
          error={problems["memory_mib"]}
          min={0}
          step="any"
          value={mibToGb(view.resources.memory_mib)}
          onChange={(event) => change({ memoryMib: mibOrNull(event.currentTarget.value) })}
        />
      </div>
      <QosField
        options={options}
        account={draft.account ?? view.resources.account}
        value={draft.qos}
        problem={problems["qos"]}
        onChange={(qos) => change({ qos })}
      />
      <div {...marked(typed ? problems["reservation"] : undefined)}>
        <TextInput
          label={options.reservations.length === 0 ? words.reservation : words.reservations.another}
          placeholder={words.optional}
          error={typed && problems["reservation"]}
          autoComplete="off"
          value={typed ? draft.reservation : ""}
          onChange={(event) => change({ reservation: event.currentTarget.value })}
        />
      </div>
      <SiteFields
        options={options}
        partition={view.partition}
        gpuType={draft.gpuType}
        value={{ ...draft, shards: draft.shards ?? 0, mps: draft.mps ?? 0 }}
        problems={{ ...problems, mps: problems["mps_percent"] }}
        change={({ shards, mps, ...rest }) =>
          change({
            ...rest,
            ...(shards === undefined ? {} : { shards: shards || null }),
            ...(mps === undefined ? {} : { mps: mps || null }),
            // Whole nodes and parts of GPUs come with cores and memory of their own.
            ...((shards ?? 0) + (mps ?? 0) > 0 || rest.exclusive === true ? { gpus: null, cpus: null, memoryMib: null } : {}),
          })
        }
      />
      <div className={classes["wide"]} {...marked(problems["modules"])}>
        <ModulesField chosen={draft.modules} problem={problems["modules"]} onChange={(modules) => change({ modules })} />
      </div>
    </div>
  );
}

/** A cleared field goes back to the policy's value. */
function wholeOrNull(text: string): number | null {
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function mibOrNull(text: string): number | null {
  const gb = Number(text);
  return text !== "" && Number.isFinite(gb) && gb >= 0 && gb < 1e6 ? gbToMib(gb) : null;
}
