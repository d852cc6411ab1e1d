// The keys of batch jobs in the cache.
export type JobScope = "active" | "ended" | "all";

export interface JobsFilter {
  scope: JobScope;
  query: string;
}

export const jobKeys = {
  lists: ["jobs"] as const,
  list: (filter: JobsFilter) => ["jobs", filter.scope, filter.query] as const,
  job: (id: string) => ["job", id] as const,
  anyTasks: (id: string) => ["job", id, "tasks"] as const,
  tasks: (id: string, state: string) => ["job", id, "tasks", state] as const,
  task: (id: string, task: number) => ["job", id, "tasks", "one", task] as const,
  lastUse: (name: string) => ["last-use", "jobs", name] as const,
  again: (id: string) => ["job", id, "again"] as const,
  use: (id: string, task: number | null) => ["job", id, "use", task] as const,
  gpus: (id: string, task: number | null, live: boolean) => ["job", id, "gpus", task, live] as const,
  presets: ["job-presets"] as const,
  submissions: ["job-submissions"] as const,
  submissionAgain: (id: string) => ["job-submissions", id] as const,
};
