// What a running session really uses, as its agent last reported.
import type { Session } from "~/api/types";
import { percent } from "~/lib/numbers";
import { gb, mib } from "~/lib/size";
import { strings } from "~/strings/en";
import { DetailPanel } from "./Detail";
import { GpuCells } from "./GpuCells";
import { Time } from "./Time";
import { UseBar, UseBars } from "./UseBar";

const words = strings.session;

export function SessionUsage({ session }: { session: Session }) {
  const { usage, resources } = session;
  return (
    <DetailPanel
      id="usage-title"
      title={words.usage}
      beside={
        usage !== null && (
          <span className="quiet">
            <Time at={usage.at} />
          </span>
        )
      }
    >
      {usage === null ? (
        <p className="quiet">{words.usageNone}</p>
      ) : (
        <UseBars>
          {usage.cpu_percent !== null && (
            <UseBar
              name={words.cpu}
              part={usage.cpu_percent / (resources.cpus * 100)}
              text={strings.resources.coresUsed((usage.cpu_percent / 100).toFixed(1), resources.cpus)}
            />
          )}
          {usage.memory_mib !== null && (
            <UseBar
              name={words.memory}
              part={usage.memory_mib / resources.memory_mib}
              text={strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
              title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}
            />
          )}
          {usage.gpus.map((gpu) => (
            <GpuRow key={gpu.index} gpu={gpu} />
          ))}
          <Processes gpus={usage.gpus} />
          {usage.gpu_problems?.map((text) => (
            <p key={text} role="alert" className="small" style={{ color: "var(--dsp-bad)" }}>
              {text}
            </p>
          ))}
          {usage.gpus.length === 0 && resources.gpus > 0 && <p className="quiet">{words.gpuUnknown}</p>}
        </UseBars>
      )}
    </DetailPanel>
  );
}

type GpuUse = NonNullable<Session["usage"]>["gpus"][number];

/** Which of the session's processes hold the GPUs' memory. */
function Processes({ gpus }: { gpus: GpuUse[] }) {
  const rows = gpus.flatMap(({ index, processes = [] }) => processes.map((process) => ({ index, ...process })));
  if (rows.length === 0) return null;
  return (
    <p className="quiet small">
      {words.gpuProcesses}{" "}
      {rows
        .map(({ index, pid, name, memory_mib }) =>
          words.gpuProcess(words.gpu(index), name || String(pid), pid, memory_mib == null ? strings.time.unknown : gb(memory_mib)),
        )
        .join(" · ")}
    </p>
  );
}

function GpuRow({ gpu }: { gpu: GpuUse }) {
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
