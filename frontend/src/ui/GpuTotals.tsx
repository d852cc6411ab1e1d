// What a session or a job has done with each of its GPUs so far, and the energy that took.
import type { paths } from "~/api/schema.gen";
import type { Answer } from "~/api/types";
import { percent } from "~/lib/numbers";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath } from "~/ui/table/cells";

const words = strings.usage.gpus;

export type GpuTotalsData = Answer<paths["/jobs/{job_id}/gpus"]["get"]>;
type Gpu = GpuTotalsData["items"][number];

interface GpuTotalsProps {
  data: GpuTotalsData;
  /** Whether to show the peak power; not beside a chart that does. */
  power?: boolean;
  /** Whether to say what is wrong with them; not where the live figures do. */
  problems?: boolean;
}

export function GpuTotals({ data, power = true, problems = true }: GpuTotalsProps) {
  const { items, energy_wh, co2_g } = data;
  if (items.length === 0) return null;
  const several = new Set(items.map(({ node }) => node)).size > 1;
  return (
    <>
      <DataTable
        label={words.table}
        rows={items}
        idOf={({ node, index }) => `${node} ${String(index)}`}
        columns={columnsOf(several, power, items.some(({ sm_percent }) => sm_percent !== null))}
      />
      {problems &&
        items.flatMap(({ node, problems: found }) =>
          found.map((text) => (
            <p key={`${node} ${text}`} className="small">
              {several ? words.onNode(node, text) : text}
            </p>
          )),
        )}
      {energy_wh !== null && (
        <p className="quiet small">{words.energy(energy(energy_wh), co2_g === null ? null : weight(co2_g))}</p>
      )}
    </>
  );
}

const known = (value: number | null, show: (value: number) => string) => (value === null ? words.unknown : show(value));

/** A mean with what it was at most beneath. */
const withPeak = (mean: number | null, peak: number | null) => (
  <>
    {known(mean, percent)}
    {peak !== null && <Beneath>{words.atMost(percent(peak))}</Beneath>}
  </>
);

const columnsOf = (several: boolean, power: boolean, counters: boolean): Column<Gpu>[] => [
  ...(several ? [{ id: "node", header: words.node, kind: "mono" as const, cell: ({ node }: Gpu) => node }] : []),
  { id: "gpu", header: words.gpu, cell: ({ index, name }) => words.name(index, name) },
  { id: "mean", header: words.mean, kind: "number", cell: (gpu) => withPeak(gpu.percent, gpu.peak_percent), hover: words.meanTitle },
  ...(counters
    ? [
        {
          id: "sm",
          header: words.sm,
          kind: "number" as const,
          cell: (gpu: Gpu) => withPeak(gpu.sm_percent, gpu.sm_peak_percent),
          hover: words.smTitle,
        },
        {
          id: "bandwidth",
          header: words.bandwidth,
          kind: "number" as const,
          cell: (gpu: Gpu) => withPeak(gpu.bandwidth_percent, gpu.bandwidth_peak_percent),
          hover: words.bandwidthTitle,
        },
      ]
    : []),
  {
    id: "memory",
    header: words.memory,
    kind: "number",
    cell: ({ memory_peak_mib, memory_mib }) => (
      <>
        {known(memory_peak_mib, gb)}
        {memory_mib !== null && <Beneath>{words.ofMemory(gb(memory_mib))}</Beneath>}
      </>
    ),
  },
  ...(power
    ? [
        {
          id: "power",
          header: words.power,
          kind: "number" as const,
          cell: (gpu: Gpu) => known(gpu.power_peak_w, (watts) => `${String(Math.round(watts))} W`),
        },
      ]
    : []),
  { id: "energy", header: words.energyHead, kind: "number", cell: (gpu) => known(gpu.energy_wh, energy) },
];

/** `1234` Wh → `1.2 kWh`. */
export const energy = (wh: number) => (wh < 1000 ? `${number(wh)} Wh` : `${number(wh / 1000)} kWh`);
/** `1234` g → `1.2 kg`. */
export const weight = (grams: number) => (grams < 1000 ? `${number(grams)} g` : `${number(grams / 1000)} kg`);

const number = (value: number) => new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value);
