// Query keys, by which the live stream finds what to change in the cache.
export interface AuditFilter {
  actor: string;
  action: string;
  target: string;
  refused: boolean;
  /** First and last day, in the user's own zone; empty: any. */
  from: string;
  to: string;
}

export const keys = {
  me: ["me"] as const,
  site: ["site"] as const,
  options: ["options"] as const,
  /** The last availability event, as received. */
  availability: ["availability"] as const,
  active: ["sessions", "active"] as const,
  ended: ["sessions", "ended"] as const,
  /** Those that ended badly, and how they did was not seen yet. */
  unseen: ["sessions", "unseen"] as const,
  session: (id: string) => ["session", id] as const,
  shares: (id: string) => ["session", id, "shares"] as const,
  shared: ["shared"] as const,
  log: (id: string) => ["log", id] as const,
  checks: ["check"] as const,
  images: ["images"] as const,
  modules: ["modules"] as const,
  files: (path: string) => ["files", path] as const,
  places: ["places"] as const,
  bin: ["bin"] as const,
  operations: ["file-operations"] as const,
  environments: ["environments"] as const,
  labFiles: (environment: string) => ["environments", environment, "lab-files"] as const,
  templates: ["templates"] as const,
  preview: (id: string) => ["templates", id, "preview"] as const,
  announcements: ["announcements"] as const,
  messages: ["messages"] as const,
  audit: (filter: AuditFilter) => ["audit", filter] as const,
};
