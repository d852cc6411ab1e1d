// The wire types of batch jobs, under the names the app uses.
import type { paths } from "./schema.gen";
import type { Answer, Asked } from "./types";

/** The form on the wire: omitted fields have the values of BLANK. */
export type WireForm = Asked<paths["/jobs/compose"]["post"]>["form"];
export type JobForm = { [K in keyof WireForm]-?: Exclude<WireForm[K], undefined> };

export type JobPreset = Omit<Answer<paths["/jobs/presets"]["get"]>["items"][number], "form"> & { form: JobForm };
export type JobSubmit = Asked<paths["/jobs"]["post"]>;
export type JobCheck = Answer<paths["/jobs/check"]["post"]>;

export type JobPage = Answer<paths["/jobs"]["get"]>;
export type JobRow = JobPage["items"][number];
export type JobDetail = Answer<paths["/jobs/{job_id}"]["get"]>;
export type JobTasks = Answer<paths["/jobs/{job_id}/tasks"]["get"]>;
export type JobAgain = Omit<Answer<paths["/jobs/{job_id}/again"]["get"]>, "form"> & { form: JobForm };
export type Correction = JobAgain["corrections"][number];

export type LiveUse = Answer<paths["/jobs/{job_id}/use"]["get"]>;
export type NodeUse = LiveUse["nodes"][number];

export type JobActionsAsked = Asked<paths["/jobs/actions"]["post"]>;
export type JobAction = JobActionsAsked["action"];
export type JobActionResult = Answer<paths["/jobs/actions"]["post"]>["results"][number];
export type JobFile = NonNullable<NonNullable<paths["/jobs/{job_id}/output"]["get"]["parameters"]["query"]>["file"]>;

/** `event: jobs` of the page's stream: mine only. */
export interface JobsEvent {
  items: JobRow[];
  gone: string[];
}

export const BLANK: JobForm = {
  name: "job",
  partition: null,
  account: null,
  qos: null,
  reservation: null,
  nodes: 1,
  tasks_per_node: 1,
  cpus_per_task: 1,
  gpus_per_node: 0,
  gpu_type: null,
  shards_per_node: 0,
  mps_per_node: 0,
  constraint: null,
  licenses: null,
  wckey: null,
  exclusive: false,
  memory_mib_per_node: null,
  walltime_s: 3600,
  environment: null,
  modules: [],
  command: "",
  env: [],
  array: null,
  dependencies: [],
  workdir: null,
  output: null,
  error: null,
  notify: false,
};

const UNSAID: Partial<JobForm> = { tasks_per_node: null, cpus_per_task: null, walltime_s: null };

/** A form from the wire with its omitted fields filled in. */
export const whole = (form: WireForm): JobForm => ({ ...BLANK, ...UNSAID, ...form });
