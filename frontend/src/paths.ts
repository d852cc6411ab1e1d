// Every URL the app builds: its own pages, the API, and the neighbours on the same host (Hub, login).
export const BASE = "/services/portal";
export const API = `${BASE}/api`;

/** Pages, relative to BASE (react-router adds it). */
export const pages = {
  sessions: () => "/",
  newSession: (query?: URLSearchParams) => withQuery("/sessions/new", query),
  session: (id: string, query?: URLSearchParams) => withQuery(`/sessions/${encodeURIComponent(id)}`, query),
  jobs: (query?: URLSearchParams) => withQuery("/jobs", query),
  newJob: (query?: URLSearchParams) => withQuery("/jobs/new", query),
  job: (id: string, query?: URLSearchParams) => withQuery(`/jobs/${encodeURIComponent(id)}`, query),
  templates: () => "/templates",
  template: (id: string) => `/templates/${encodeURIComponent(id)}`,
  difference: (id: string) => `/templates/${encodeURIComponent(id)}?difference=1`,
  notifications: () => "/notifications",
  apps: () => "/apps",
  files: (path?: string) => withQuery("/files", path === undefined ? undefined : new URLSearchParams({ path })),
  bin: () => "/files/bin",
  environments: () => "/environments",
  images: () => "/environments?tab=images",
  imageCatalogue: () => "/environments?tab=catalogue",
  admin: () => "/admin",
  adminSessions: () => "/admin/sessions",
  adminNodes: () => "/admin/nodes",
  adminJobs: () => "/admin/jobs",
  people: () => "/admin/people",
  usage: (query?: URLSearchParams) => withQuery("/usage", query),
  adminUsage: (query?: URLSearchParams) => withQuery("/admin/usage", query),
  announcements: () => "/admin/announcements",
  cluster: (query?: URLSearchParams) => withQuery("/cluster", query),
  audit: () => "/admin/audit",
  health: () => "/admin/health",
};

export const streams = {
  all: (also: readonly string[]) => `${API}/events${also.map((name, index) => `${index === 0 ? "?" : "&"}also=${name}`).join("")}`,
  cluster: (after: string) => `${API}/cluster/events?after=${encodeURIComponent(after)}`,
  session: (id: string) => `${API}/sessions/${encodeURIComponent(id)}/events`,
  jobOutput: (id: string, query: URLSearchParams) => `${API}/jobs/${encodeURIComponent(id)}/output/follow?${query.toString()}`,
};

/** Files as they are. */
export const transfers = {
  uploads: () => `${API}/files/uploads`,
  archive: (paths: readonly string[], format: "zip" | "tar") =>
    `${API}/files/archive?${new URLSearchParams([...paths.map((path) => ["path", path]), ["format", format]]).toString()}`,
  content: (path: string) => `${API}/files/content?path=${encodeURIComponent(path)}`,
};

/** Images that the API serves. */
export const pictures = {
  template: (id: string) => `${API}/templates/${encodeURIComponent(id)}/picture`,
};

/** URLs outside the app: full page loads. */
export const outside = {
  login: (next: string) => `${BASE}/login?next=${encodeURIComponent(next)}`,
  logout: () => `${BASE}/logout`,
  tokens: () => `${BASE}/tokens`,
  laptopProgram: () => `${BASE}/laptop/portal.pyz`,
  docs: (page: string) => `${BASE}/docs/${page}`,
  apiDocs: () => `${API}/docs`,
  usageCsv: (query: URLSearchParams) => `${API}/usage/csv?${query.toString()}`,
  adminUsageCsv: (query: URLSearchParams) => `${API}/admin/usage/csv?${query.toString()}`,
  auditCsv: (query: URLSearchParams) => `${API}/audit/csv?${query.toString()}`,
};

function withQuery(path: string, query?: URLSearchParams): string {
  const text = query?.toString();
  return text ? `${path}?${text}` : path;
}

/** The full address of a file or folder, for others who may read it. */
export const fileLink = (realPath: string) => `${window.location.origin}${BASE}${pages.files(realPath)}`;

/** The full address of New session with a reservation chosen: the link that a teacher hands out. */
export const reservationLink = (name: string) =>
  `${window.location.origin}${BASE}${pages.newSession(new URLSearchParams({ reservation: name }))}`;
