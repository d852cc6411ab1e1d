// My submissions without a known job: still being looked for, or not submitted, with a way to submit again.
import { useQuery } from "@tanstack/react-query";
import { AlertIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import { jobReads, useForgetSubmission } from "~/api/jobs";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Banner } from "~/ui/Banner";

import classes from "./JobsPage.module.css";

const words = strings.jobs.submissions;

export function Submissions() {
  const now = useNow(60);
  const { data = [] } = useQuery(jobReads.submissions);
  const forget = useForgetSubmission();
  if (data.length === 0) return null;
  return (
    <div className={classes["submissions"]}>
      {data.map(({ id, name, at, state, text }) => (
        <Banner
          key={id}
          tone="news"
          icon={<AlertIcon />}
          text={words.at(name, clock(at, now))}
          advice={text}
          actions={
            state !== "open" && (
              <>
                <Link to={pages.newJob(new URLSearchParams({ submission: id }))}>{words.again}</Link>
                <button type="button" disabled={forget.isPending} onClick={() => forget.mutate(id)}>
                  {words.dismiss}
                </button>
              </>
            )
          }
        />
      ))}
    </div>
  );
}
