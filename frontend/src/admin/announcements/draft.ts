// The state of the announcement form, and the request it makes. Times are in the user's own zone.
import { toLocalInput } from "~/lib/time";
import type { AnnouncementAsked, AnnouncementRow } from "./queries";

export interface AnnouncementDraft {
  kind: "notice" | "maintenance";
  text: string;
  partitions: string[];
  onLogin: boolean;
  shownFrom: string;
  starts: string;
  ends: string;
}

export const EMPTY: AnnouncementDraft = {
  kind: "notice",
  text: "",
  partitions: [],
  onLogin: true,
  shownFrom: "",
  starts: "",
  ends: "",
};

export const draftOf = (row: AnnouncementRow): AnnouncementDraft => ({
  kind: row.kind,
  text: row.text,
  partitions: row.partitions,
  onLogin: row.on_login,
  shownFrom: local(row.shown_from),
  starts: local(row.starts_at),
  ends: local(row.ends_at),
});

export const askedOf = (draft: AnnouncementDraft): AnnouncementAsked => ({
  kind: draft.kind,
  text: draft.text,
  partitions: draft.partitions,
  on_login: draft.onLogin,
  shown_from: moment(draft.shownFrom),
  starts_at: draft.kind === "maintenance" ? moment(draft.starts) : null,
  ends_at: moment(draft.ends),
});

const local = (iso: string | null) => (iso === null ? "" : toLocalInput(new Date(iso)));
const moment = (value: string) => (value === "" ? null : new Date(value).toISOString());
