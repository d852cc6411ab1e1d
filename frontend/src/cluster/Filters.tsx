// The filters, all kept in the URL.
import { Button, NativeSelect } from "@mantine/core";

import type { ClusterSnapshot } from "~/api/types";
import { strings } from "~/strings/en";
import { FilterField } from "~/ui/FilterField";
import { FilterSelect } from "~/ui/FilterSelect";
import classes from "./Filters.module.css";
import type { Address, Change } from "./address";
import { choicesOf } from "./snapshot";

const words = strings.cluster.filters;
const EMPTY: Partial<Address> = { q: "", partition: "", gpu: "", state: "", feature: "", jobs: "active", mine: false };

interface FiltersProps {
  snapshot: ClusterSnapshot;
  address: Address;
  change: Change;
  shown: number;
}

export function Filters({ snapshot, address, change, shown }: FiltersProps) {
  const choices = choicesOf(snapshot);
  const queue = address.view === "queue";
  const any = Object.entries(EMPTY).some(([name, value]) => address[name as keyof Address] !== value);
  const states = [
    { value: "free", label: strings.cluster.stateFilters.free },
    { value: "mine", label: strings.cluster.stateFilters.mine },
    ...choices.states.map((value) => ({ value, label: strings.cluster.states[value as keyof typeof strings.cluster.states] })),
  ];
  const jobStates = Object.entries(strings.cluster.queue.states).map(([value, label]) => ({ value, label }));
  return (
    <section className={classes["filters"]} aria-label={words.label}>
      <FilterField
        className={classes["text"]}
        label={queue ? words.queueText : words.text}
        maxLength={255}
        value={address.q}
        onChange={(q) => change({ q })}
      />
      <FilterSelect label={words.partition} values={choices.partitions} chosen={address.partition} onChoose={(partition) => change({ partition })} />
      <FilterSelect label={words.gpuType} values={choices.gpuTypes} chosen={address.gpu} onChoose={(gpu) => change({ gpu })} upper />
      {queue ? (
        <NativeSelect
          aria-label={words.state}
          data={jobStates}
          value={address.jobs}
          onChange={(event) => change({ jobs: event.currentTarget.value as Address["jobs"] })}
        />
      ) : (
        <>
          <NativeSelect
            aria-label={words.state}
            data={[{ value: "", label: `${words.state}: ${strings.any}` }, ...states]}
            value={address.state}
            onChange={(event) => change({ state: event.currentTarget.value })}
          />
          <FilterSelect label={words.feature} values={choices.features} chosen={address.feature} onChoose={(feature) => change({ feature })} />
        </>
      )}
      {queue && (
        <Button variant="default" aria-pressed={address.mine} className={classes["toggle"] ?? ""} onClick={() => change({ mine: !address.mine })}>
          {words.mine}
        </Button>
      )}
      {any && (
        <Button variant="subtle" color="gray" onClick={() => change(EMPTY)}>
          {words.clear}
        </Button>
      )}
      {!queue && (
        <span className={classes["count"]} role="status">
          {shown === snapshot.nodes.length ? strings.cluster.nodes(shown) : strings.cluster.shownOf(shown, snapshot.nodes.length)}
        </span>
      )}
    </section>
  );
}
