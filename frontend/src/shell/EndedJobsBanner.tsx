// Ended jobs whose owner asked for a notice, including those that ended while no page was open.
import { ListUnorderedIcon } from "@primer/octicons-react";
import { useEffect } from "react";
import { Link } from "react-router-dom";

import { readEndedJobs } from "~/api/jobs";
import { endedJobs, useEndedJobs } from "~/live/jobNotices";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Banner } from "~/ui/Banner";
import { lookOfJob } from "~/ui/jobLook";

const words = strings.jobs.ended;
const NAMED_AT_MOST = 3;
const LIST = new URLSearchParams({ state: "ended" });

export function EndedJobsBanner() {
  const jobs = useEndedJobs();
  useEffect(() => {
    // Query only for users who ever asked for notices in this browser.
    if (endedJobs.wanted()) readEndedJobs().then(endedJobs.add, () => undefined);
  }, []);
  const [first] = jobs;
  if (first === undefined) return null;
  const lines = jobs.slice(0, NAMED_AT_MOST).map((job) => strings.jobs.now(job.name, lookOfJob(job).word));
  const alone = jobs.length === 1;
  return (
    <Banner
      tone="news"
      icon={<ListUnorderedIcon />}
      text={alone ? (lines[0] ?? "") : words.several(jobs.length)}
      advice={alone ? (first.end?.text ?? "") : lines.join(" ")}
      actions={
        <>
          <Link to={alone ? pages.job(first.id) : pages.jobs(LIST)}>{alone ? words.show : words.showAll}</Link>
          <button type="button" onClick={endedJobs.dismiss}>
            {words.dismiss}
          </button>
        </>
      }
    />
  );
}
