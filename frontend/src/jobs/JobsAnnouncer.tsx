// Announces to screen readers which jobs of the list appeared or changed state.
import { useEffect, useRef, useState } from "react";

import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { lookOfJob } from "~/ui/jobLook";

/** More changes at once come from a filter or another page, so they are not announced. */
const NEWS_AT_MOST = 3;

export function JobsAnnouncer({ rows }: { rows: readonly JobRow[] }) {
  const before = useRef<readonly JobRow[] | null>(null);
  const [message, setMessage] = useState("");
  useEffect(() => {
    const states = new Map(before.current?.map(({ id, state }) => [id, state]));
    const changed = rows.filter(({ id, state }) => (states.get(id) ?? state) !== state);
    before.current = rows;
    if (changed.length > 0 && changed.length <= NEWS_AT_MOST) {
      setMessage(changed.map((row) => strings.jobs.now(row.name, lookOfJob(row).word)).join(" "));
    }
  }, [rows]);
  return (
    <p className="hidden" role="status">
      {message}
    </p>
  );
}
