// Invented usage: a month of somebody who keeps GPUs waiting.
import type { SessionUse } from "../src/sessions/queries";
import type { GpuTotalsData } from "../src/ui/GpuTotals";
import type { MyUsage, UsageReport } from "../src/usage/queries";
import { ago } from "./units";
import type { Scene } from "./world";

const figures = (hours: number, part = 1): UsageReport["total"] => ({
  jobs: Math.round(40 * part),
  gpu_hours: hours,
  cpu_hours: hours * 8,
  gpu_hours_used: hours * 0.1,
  gpu_hours_unused: hours * 0.7,
  gpu_hours_unknown: hours * 0.2,
  cpu_hours_used: hours,
  cpu_hours_unknown: 0,
  energy_kwh: hours * 0.12,
  co2_kg: hours * 0.04,
  wait_median_s: 12,
  wait_p95_s: 5400,
});

export function report(query: URLSearchParams, scene: Scene): UsageReport {
  const by = (query.get("by") ?? "user") as UsageReport["by"];
  const empty = scene === "empty";
  const keys = { user: ["alice", "=cmd()<b>"], group: ["physics", ""], month: ["2026-11"], account: ["physics"], partition: ["sxm2"], gpu_type: ["v100", ""] };
  return {
    by,
    first: query.get("from") ?? "2026-11-01",
    last: query.get("to") ?? "2026-11-21",
    source: { kind: "accounting", text: "From Slurm's accounting.", since: "2025-11-21T00:00:00Z", read_to: ago(60), failing_since: scene === "down" ? ago(7200) : null },
    total: figures(empty ? 0 : 200),
    rows: empty ? [] : keys[by].map((key, index) => ({ key, ...figures(120 - 40 * index, 0.5) })),
    more: 0,
    step: "day",
    series: empty
      ? []
      : [1, 2, 5].map((day) => ({ at: `2026-11-0${day}`, gpu_hours: 20 * day, gpu_hours_used: 2 * day, gpu_hours_unused: 14 * day, cpu_hours: 160 * day })),
    wasteful: empty
      ? []
      : [
          {
            job_id: 4711,
            session_id: "bertfinetune",
            user: "alice",
            partition: "sxm2",
            gpus: 2,
            started_at: ago(86_400),
            ended_at: ago(60_000),
            gpu_hours: 14.7,
            gpu_hours_unused: 14.1,
            gpu_percent: 4,
          },
        ],
  };
}

export function mine(query: URLSearchParams, scene: Scene): MyUsage {
  const made = report(query.has("by") ? query : new URLSearchParams({ by: "month" }), scene);
  const text = "Your GPUs were busy 12 % of the time they were measured: 140.0 GPU-hours were allocated to you and went unused.";
  return {
    ...made,
    advice: scene === "empty" ? [] : [{ text, hint: "Stop sessions while you read or write." }],
    allowance: { gpu_hours_used: 60.5, gpu_hours_promised: 20, max_gpu_hours: 300 },
  };
}

export function sessionUse(): SessionUse {
  const items = [600, 540, 480, 120, 60].map((seconds, index) => ({
    at: ago(seconds),
    cpu_percent: 100 + 20 * index,
    memory_mib: 2048 * (index + 1),
    gpu_percent: 10 * index,
    gpu_memory_mib: 1000,
    gpu_peak_percent: 20 * index,
    power_w: 80 + 100 * index,
    kernel_busy_percent: 15 * index,
    sm_percent: 8 * index,
    bandwidth_percent: 5 * index,
    pcie_mib_s: 12 * index,
    nvlink_mib_s: 0,
  }));
  return { step_s: 60, items, gpus: gpuTotals() };
}

export function gpuTotals(): GpuTotalsData {
  const gpu = (index: number, percent: number | null) => ({
    node: "node001",
    index,
    name: "Tesla V100-SXM2-32GB",
    uuid: `GPU-${String(index)}`,
    measured_s: 580,
    percent,
    peak_percent: percent === null ? null : 100,
    memory_mib: 32_768,
    memory_peak_mib: 18_200 + 900 * index,
    power_peak_w: percent === null ? null : 287.4,
    energy_wh: percent === null ? null : 31.2,
    sm_percent: percent === null ? null : 31.4,
    sm_peak_percent: percent === null ? null : 78.2,
    bandwidth_percent: percent === null ? null : 12.6,
    bandwidth_peak_percent: percent === null ? null : 24.9,
    problems: [],
    as_of: ago(30),
  });
  return { items: [gpu(0, 43.5), gpu(1, null)], energy_wh: 31.2, co2_g: 11.9 };
}
