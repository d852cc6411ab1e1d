// The wire types under the names the app uses, taken from the paths of the generated schema: if the server renames a
// class, nothing changes here.
import type { paths } from "./schema.gen";

type Body<R> = R extends { content: { "application/json": infer B } } ? B : never;
export type Answer<O> = O extends { responses: { 200: infer R } }
  ? Body<R>
  : O extends { responses: { 202: infer R } }
    ? Body<R>
    : never;
export type Asked<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : never;

export type Me = Answer<paths["/me"]["get"]>;
export type Site = Answer<paths["/site"]["get"]>;
export type SlurmState = Site["slurm"];

export type Options = Answer<paths["/options"]["get"]>;
export type App = Options["apps"][number];
export type Offer = Answer<paths["/apps"]["get"]>["items"][number];
export type Partition = Options["partitions"][number];
export type GpuPool = Partition["gpus"][number];
export type ClusterGpus = Options["gpus"][number];
export type Policy = Options["policy"];

export type Session = Answer<paths["/sessions/{session_id}"]["get"]>;
export type SessionState = Session["state"];
export type Resources = Session["resources"];
export type SessionEnd = NonNullable<Session["end"]>;
export type NextStart = SessionEnd["next"];
export type SessionPage = Answer<paths["/sessions"]["get"]>;
export type ChangeRequest = Asked<paths["/sessions/{session_id}/resources"]["put"]>;
export type SessionAsked = Asked<paths["/sessions"]["post"]>;
export type ResourcesAsked = NonNullable<SessionAsked["resources"]>;
export type Check = Answer<paths["/sessions/check"]["post"]>;
export type Preset = Answer<paths["/presets"]["get"]>["items"][number];
export type Shares = Answer<paths["/sessions/{session_id}/shares"]["get"]>;
export type Share = Shares["items"][number];
export type ShareAsked = Asked<paths["/sessions/{session_id}/shares"]["post"]>;
export type SharedItem = Answer<paths["/shares"]["get"]>["items"][number];
export type Alternative = Check["alternatives"][number];
export type LogPiece = Answer<paths["/sessions/{session_id}/log"]["get"]>;

export type AppOption = App["options"][number];

export type ImagePage = Answer<paths["/images"]["get"]>;
export type Image = ImagePage["items"][number];
export type ImageAsked = Asked<paths["/images"]["post"]>;
export type Framework = Answer<paths["/image-catalogue"]["get"]>["items"][number];
export type Ngc = Answer<paths["/ngc"]["get"]>;

export type Module = Answer<paths["/modules"]["get"]>["items"][number];
export type Files = Answer<paths["/files"]["get"]>;
export type FileEntry = Files["entries"][number];

export type Environment = Answer<paths["/environments"]["get"]>["items"][number];
export type PreviewCell = Answer<paths["/templates/{template_id}/preview"]["get"]>["cells"][number];
export type Template = Answer<paths["/templates"]["get"]>["items"][number];
export type AuditPage = Answer<paths["/audit"]["get"]>;
export type AuditEntry = AuditPage["items"][number];

export type Message = Answer<paths["/messages"]["get"]>["items"][number];
export type Announcement = Answer<paths["/announcements"]["get"]>["items"][number];

/** One line of a session's progress, from its event stream. */
export interface ProgressEvent {
  seq: number;
  at: string;
  stage: string;
  message: string;
  progress: number;
  state: SessionState;
}

/** `event: availability` of the page's stream: the same for everybody, so without my own obstacles to a partition. */
export interface Availability {
  as_of: string | null;
  partitions: Partition[];
  gpus: ClusterGpus[];
}

/** `event: image` of the page's stream. */
export type ImageEvent = Pick<Image, "id" | "state" | "progress" | "message">;

/** `event: environment` of the page's stream. */
export interface EnvironmentEvent {
  name: string;
  state: Environment["state"];
  message: string;
  progress: number;
}

export type ClusterSnapshot = Answer<paths["/cluster"]["get"]>;
export type ClusterNode = ClusterSnapshot["nodes"][number];
export type ClusterKind = ClusterSnapshot["kinds"][number];
export type ClusterJobs = Answer<paths["/cluster/jobs"]["get"]>;
export type ClusterJob = ClusterJobs["items"][number];
export type ClusterJobDetail = Answer<paths["/cluster/jobs/{job_id}"]["get"]>;
export type ClusterNodeDetail = Answer<paths["/cluster/nodes/{name}"]["get"]>;
export type ClusterHistory = Answer<paths["/cluster/history"]["get"]>;

/** `event: change` of the cluster's stream. */
export interface ClusterChange {
  since: string;
  version: string;
  as_of: string | null;
  queue: ClusterSnapshot["queue"];
  gone: string[];
  kinds_from: number;
  kinds: ClusterKind[];
  nodes: ClusterNode[];
}
