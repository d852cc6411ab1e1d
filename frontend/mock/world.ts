// The mock's state: sessions that move from submitted to ready by themselves, and who listens. Scenes change its looks.
import type { Preset, ProgressEvent, Resources, Session, SessionAsked, ShareAsked, Shares, SharedItem } from "../src/api/types";
import type { JobRow } from "../src/api/jobTypes";
import { announcements } from "./announcements";
import { Images } from "./images";
import { rows } from "./jobs";
import { seen, session, sessions } from "./sessions";
import { environments, options, resources, site } from "./site";
import { copies } from "./templates";
import { ago, ahead } from "./units";

export type Scene = "full" | "empty" | "down" | "failing" | "slow" | "expired";
type Listener = (event: string, payload: unknown, id?: number) => void;

const STEPS: { after: number; state: Session["state"]; message: string; progress: number }[] = [
  { after: 300, state: "queued", message: "Slurm has job 4720.", progress: 20 },
  { after: 900, state: "allocated", message: "Allocated on node002.", progress: 45 },
  { after: 1500, state: "starting", message: "The agent is there; starting JupyterLab.", progress: 70 },
  { after: 3000, state: "ready", message: "JupyterLab is ready.", progress: 100 },
];

export class World {
  scene: Scene = "full";
  /** Who is logged in. */
  username = "alice";
  sessions: Session[] = sessions();
  jobs: JobRow[] = rows();
  environments = structuredClone(environments);
  copies = structuredClone(copies);
  presets: Preset[] = [{ id: null, name: "Course", request: { app: "terminal", resources: { gpus: 0, walltime_s: 3600 } } }];
  shares: Shares = { items: [], app: false, ports: true, keys: true, max_hours: 168, modes: [], mode_reason: "", reason: "JupyterLab runs commands or opens files for whoever uses it, so it cannot be shared as a whole." };
  shared: SharedItem[] = [];
  announcements = announcements();
  /** Of the one limit there is: another one has changed it when it goes up. */
  /** Whether the portal has read Slurm's queue since it started. */
  queueIsKnown = true;
  /** When Slurm's dry run would start a job, in seconds from now. */
  jobStartsInS = 1;
  limitVersion = 3;
  readonly images = new Images((news) => this.tell("image", news));
  readonly events = new Map<string, ProgressEvent[]>();
  readonly page = new Set<Listener>();
  readonly watchers = new Map<string, Set<Listener>>();
  private count = 0;

  setScene(scene: Scene): void {
    this.scene = scene;
    this.sessions = scene === "empty" ? [] : sessions();
    this.jobs = scene === "empty" ? [] : rows();
    this.tell("site", this.slurm());
  }

  slurm() {
    const up = site().slurm;
    return this.scene === "down" ? { ...up, state: "down" as const, since: ago(340), as_of: ago(345) } : up;
  }

  share({ users = [], groups = [], key = null, port = null, hours, mode }: ShareAsked): Shares {
    const nobody = { user: null, group: null, key_name: null, key: "" };
    const whom = [...users.map((user) => ({ ...nobody, user })), ...groups.map((group) => ({ ...nobody, group }))];
    if (key !== null) whom.push({ ...nobody, key_name: key, key: "dsp-mock" } as never);
    const made = whom.map((who, index) => {
      const id = this.shares.items.length + index + 1;
      return { id, port, mode: mode ?? ("use" as const), ...who, created_at: ago(0), ends_at: ahead((hours ?? 168) * 3600), link: `https://portal.example/services/portal/shared/${id}` };
    });
    this.shares = { ...this.shares, items: [...this.shares.items, ...made] };
    return this.shares;
  }

  unshare(id: number): boolean {
    const before = this.shares.items.length;
    this.shares = { ...this.shares, items: this.shares.items.filter((share) => share.id !== id) };
    return this.shares.items.length < before;
  }

  /** What became of the user's changed copy of a template. */
  settle(id: string, { how }: { how: string }) {
    const file = `${id}.ipynb`;
    this.copies = this.copies.map((item) => (item.id === id ? { id, state: how === "keep" ? "changed" : "same" } : item));
    return { file, backup: how === "replace" ? `${id} (mine, 2026-11-21).ipynb` : null };
  }

  savePreset({ name, request }: Omit<Preset, "id">): Preset {
    const saved = { id: ++this.count, name, request };
    this.presets = [saved, ...this.presets.filter((item) => item.name !== name)];
    return saved;
  }

  renamePreset(id: number, { name }: { name: string }): Preset | undefined {
    this.presets = this.presets.map((item) => (item.id === id ? { ...item, name } : item));
    return this.presets.find((item) => item.id === id);
  }

  removePreset(id: number): void {
    this.presets = this.presets.filter((item) => item.id !== id);
  }

  options() {
    const all = options();
    return {
      ...all,
      environments: all.environments.map((item) => ({
        ...item,
        installed: this.environments.find(({ name }) => name === item.name)?.installed ?? false,
      })),
    };
  }

  /** What is asked, filled as the policy would. */
  fill(asked: SessionAsked): Resources {
    const gpus = asked.resources.gpus ?? options().apps.find((app) => app.name === asked.app)?.resources?.gpus ?? 1;
    const given = Object.entries(asked.resources).filter(([, value]) => value !== null);
    const usual = options().apps.find((app) => app.name === asked.app)?.resources;
    const filled = { ...(usual?.gpus === gpus ? usual : resources({ gpus })), ...Object.fromEntries(given) };
    const most = options().partitions.find(({ name }) => name === filled.partition)?.max_walltime_s ?? Infinity;
    return { ...filled, walltime_s: asked.resources.walltime_s ?? Math.min(filled.walltime_s, most) };
  }

  start(asked: SessionAsked): Session {
    this.count += 1;
    const name = asked.name ?? `${asked.app}-${this.count}`;
    const id = `new${String(this.count).padStart(9, "0")}`;
    const started = session({
      id,
      name,
      app: asked.app,
      app_title: options().apps.find((app) => app.name === asked.app)?.title ?? asked.app,
      options: asked.options ?? {},
      modules: asked.modules ?? [],
      environment: asked.environment ?? "base",
      environment_title: environments.find((item) => item.name === asked.environment)?.title ?? "Python 3.11",
      state: "submitted",
      node: null,
      url: null,
      job_id: null,
      resources: this.fill(asked),
      created_at: ago(0),
      queued_at: null,
      started_at: null,
      ready_at: null,
      ends_at: null,
      progress: 5,
    });
    this.sessions = [started, ...this.sessions];
    this.progress(started, "Submitted.");
    for (const step of STEPS) setTimeout(() => this.step(id, step), step.after);
    return started;
  }

  stop(id: string): Session | undefined {
    const session = this.change(id, { state: "stopping" });
    setTimeout(() => {
      const end = { code: "stopped", text: "You stopped it.", advice: null, exit_code: 0, ...seen };
      const over = this.change(id, { state: "ended", ended_at: ago(0), url: null, queue: null, end });
      if (over !== undefined) this.tellWatchers(id, "end", { state: "ended" });
    }, 800);
    return session;
  }

  setSeen(id: string, seen: boolean): Session | undefined {
    const before = this.sessions.find((item) => item.id === id);
    return before?.end == null ? undefined : this.change(id, { end: { ...before.end, seen }, revision: before.revision + 1 });
  }

  setTime(id: string, { walltime_s }: { walltime_s: number }): Session | undefined {
    const before = this.sessions.find((item) => item.id === id);
    if (before === undefined) return undefined;
    const ends_at = new Date(Date.parse(before.started_at ?? "") + walltime_s * 1000).toISOString();
    return this.change(id, { resources: { ...before.resources, walltime_s }, ends_at });
  }

  install(name: string): void {
    for (const progress of [5, 35, 70, 100]) {
      setTimeout(() => {
        const state = progress === 100 ? "installed" : "installing";
        const message = progress === 100 ? "" : "Downloading packages …";
        this.environments = this.environments.map((item) =>
          item.name === name ? { ...item, state, message, progress, installed: state === "installed" } : item,
        );
        this.tell("environment", { name, state, message, progress });
      }, progress * 40);
    }
  }

  private step(id: string, { state, message, progress }: (typeof STEPS)[number]): void {
    const session = this.sessions.find((item) => item.id === id);
    if (session === undefined || session.state === "stopping" || session.state === "ended") return;
    const times = {
      queued: { queued_at: ago(0), job_id: 4720 },
      allocated: { started_at: ago(0), node: "node002", ends_at: ahead(session.resources.walltime_s) },
      ready: { ready_at: ago(0), url: `/user/alice/${session.server_name}/lab` },
    };
    const changed = this.change(id, { state, progress, ...(state in times ? times[state as keyof typeof times] : {}) });
    if (changed !== undefined) this.progress(changed, message);
  }

  private progress(session: Session, message: string): void {
    const past = this.events.get(session.id) ?? [];
    const { state, progress } = session;
    const event = { seq: past.length + 1, at: ago(0), stage: state, state, message, progress };
    this.events.set(session.id, [...past, event]);
    this.tellWatchers(session.id, "progress", event, event.seq);
  }

  change(id: string, change: Partial<Session>): Session | undefined {
    this.sessions = this.sessions.map((item) => (item.id === id ? { ...item, ...change } : item));
    const session = this.sessions.find((item) => item.id === id);
    if (session !== undefined) this.tell("session", session);
    return session;
  }

  private tell(event: string, payload: unknown): void {
    this.page.forEach((listener) => listener(event, payload));
  }

  private tellWatchers(id: string, event: string, payload: unknown, seq?: number): void {
    this.watchers.get(id)?.forEach((listener) => listener(event, payload, seq));
  }
}
