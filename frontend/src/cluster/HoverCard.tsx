// Beside the hovered tile: who uses its GPUs, for which job, and the time left.
import { useQuery } from "@tanstack/react-query";

import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import classes from "./HoverCard.module.css";
import { JobCells } from "./JobCells";
import { clusterReads } from "./api";

const words = strings.cluster;
const WIDTH_PX = 320;
const MOST_JOBS = 6;

export interface Pointed {
  name: string;
  box: DOMRect;
}

export function HoverCard({ pointed: { name, box }, mine }: { pointed: Pointed; mine: readonly number[] | undefined }) {
  const { data } = useQuery(clusterReads.node(name));
  const left = Math.min(Math.max(8, box.left), window.innerWidth - WIDTH_PX - 8);
  const below = box.bottom < window.innerHeight * 0.6;
  const place = below ? { top: box.bottom + 4 } : { bottom: window.innerHeight - box.top + 4 };
  return (
    <div id="node-card" role="tooltip" className={classes["card"]} style={{ left, width: WIDTH_PX, ...place }}>
      <p className={classes["head"]}>
        <strong>{name}</strong>
        {data !== undefined && <span>{words.states[data.state]}</span>}
      </p>
      {data !== undefined && data.reason !== "" && <p className={classes["reason"]}>{data.reason.slice(0, 200)}</p>}
      {data !== undefined && data.reservation !== "" && (
        <p className={classes["reason"]}>{words.node.reservedBy(data.reservation.slice(0, 100))}</p>
      )}
      {data !== undefined && data.jobs.length === 0 && <p className="quiet">{words.node.noJobs}</p>}
      {data?.jobs.slice(0, MOST_JOBS).map(({ job, gpus }) => (
        <p key={job.id} className={classes["job"]}>
          <JobCells node={data} held={gpus} mine={mine} />
          <span className={classes["who"]}>
            <strong>{job.mine ? words.queue.mine : (job.user ?? words.queue.hidden)}</strong> {job.name ?? job.id}
          </span>
          <span className="quiet">{job.ends_at !== null && <Time at={job.ends_at} as="left" />}</span>
        </p>
      ))}
      {data !== undefined && data.jobs.length > MOST_JOBS && <p className="quiet">+ {data.jobs.length - MOST_JOBS}</p>}
    </div>
  );
}
