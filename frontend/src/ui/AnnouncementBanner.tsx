// An announcement as everybody sees it, above every page. Also the administrators' preview.
import { MegaphoneIcon, ToolsIcon } from "@primer/octicons-react";

import type { Announcement } from "~/api/types";
import { clock, exact } from "~/lib/time";
import { strings } from "~/strings/en";
import { Banner } from "./Banner";

const words = strings.announcements;

type Shown = Pick<Announcement, "kind" | "text" | "partitions" | "starts_at" | "ends_at">;

export function AnnouncementBanner({ announcement, now }: { announcement: Shown; now: number }) {
  const { kind, text, partitions, starts_at, ends_at } = announcement;
  if (kind === "notice" || starts_at === null || ends_at === null) {
    const about = partitions.length === 0 ? "" : words.about(partitions);
    return <Banner icon={<MegaphoneIcon />} text={about} advice={text} tone="news" />;
  }
  const underWay = Date.parse(starts_at) <= now;
  const when = underWay
    ? words.underWay(partitions, clock(ends_at, now))
    : words.maintenance(partitions, words.between(clock(starts_at, now), until(starts_at, ends_at, now)));
  return (
    <Banner
      icon={<ToolsIcon />}
      text={when}
      advice={text}
      title={words.between(exact(starts_at), exact(ends_at))}
      tone={underWay ? "warning" : "news"}
    />
  );
}

/** The end of a window: only the time if it ends on the day it starts. */
export function until(from: string, end: string, now: number): string {
  const sameDay = new Date(from).toDateString() === new Date(end).toDateString();
  return sameDay ? clock(end, Date.parse(end)) : clock(end, now);
}
