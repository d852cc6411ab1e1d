// What each GPU of a session or a job is doing: how busy it is, its memory and traffic, and which processes hold it.
import type { components } from "~/api/schema.gen";
import { percent } from "~/lib/numbers";
import { gb, mib } from "~/lib/size";
import { strings } from "~/strings/en";
import { GpuCells } from "./GpuCells";
import classes from "./GpuUse.module.css";
import { UseBar } from "./UseBar";

const words = strings.gpuUse;

type Use = components["schemas"]["GpuUse"];

interface GpuUseProps {
  gpus: Use[];
  /** What is wrong with them, in words. */
  problems: string[];
}

/** Rows within `UseBars`. */
export function GpuUse({ gpus, problems }: GpuUseProps) {
  return (
    <>
      {gpus.map((gpu) => (
        <GpuBar key={gpu.index} gpu={gpu} />
      ))}
      {gpus.map((gpu) => (
        <Counted key={gpu.index} gpu={gpu} named={gpus.length > 1} />
      ))}
      <Processes gpus={gpus} />
      {problems.map((text) => (
        <p key={text} role="alert" className="small" style={{ color: "var(--dsp-bad)" }}>
          {text}
        </p>
      ))}
    </>
  );
}

function GpuBar({ gpu }: { gpu: Use }) {
  const use = gpu.utilization == null ? strings.time.unknown : percent(gpu.utilization);
  const memory =
    gpu.memory_used_mib == null || gpu.memory_total_mib == null
      ? ""
      : ` · ${strings.size.of(gb(gpu.memory_used_mib), gb(gpu.memory_total_mib))}`;
  return (
    <UseBar
      title={gpu.name}
      name={
        <>
          <GpuCells cells={[{ kind: "mine", use: gpu.utilization ?? null }]} label={`${words.gpu(gpu.index)}: ${use}`} />
          {words.gpu(gpu.index)}
        </>
      }
      part={(gpu.utilization ?? 0) / 100}
      text={`${use}${memory}`}
    />
  );
}

/** What its performance counters say; nothing for GPUs without them. */
function Counted({ gpu: { index, sm_percent, bandwidth_percent, pcie_mib_s, nvlink_mib_s }, named }: { gpu: Use; named: boolean }) {
  const traffic = (name: string, mib: number | null | undefined) => (mib == null || mib < 1 ? [] : [words.traffic(name, gb(mib))]);
  const found = [
    ...(sm_percent == null ? [] : [words.sms(percent(sm_percent))]),
    ...(bandwidth_percent == null ? [] : [words.bandwidth(percent(bandwidth_percent))]),
    ...traffic("PCIe", pcie_mib_s),
    ...traffic("NVLink", nvlink_mib_s),
  ];
  if (found.length === 0) return null;
  return (
    <p className="quiet small" title={words.countedTitle}>
      {named && `${words.gpu(index)}: `}
      {found.join(" · ")}
    </p>
  );
}

/** Which of its owner's processes hold the GPUs' memory, most of it first. */
function Processes({ gpus }: { gpus: Use[] }) {
  const rows = gpus.flatMap(({ index, processes = [] }) => processes.map((process) => ({ index, ...process })));
  if (rows.length === 0) return null;
  return (
    <table className={classes["processes"]} aria-label={words.processes}>
      <thead>
        <tr>
          <th scope="col">{words.onGpu}</th>
          <th scope="col">{words.process}</th>
          <th scope="col">{words.memory}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ index, pid, name, memory_mib }) => (
          <tr key={`${String(index)} ${String(pid)}`}>
            <td>{words.gpu(index)}</td>
            <td>
              {name} <span className="quiet">{pid}</span>
            </td>
            <td title={memory_mib == null ? undefined : mib(memory_mib)}>{memory_mib == null ? strings.time.unknown : gb(memory_mib)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
