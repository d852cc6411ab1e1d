// The sessions and batch jobs that a planned maintenance would cut short.
import { strings } from "~/strings/en";
import classes from "./AnnouncementForm.module.css";
import { useAffected, type AnnouncementAsked } from "./queries";

const words = strings.admin.announcements;

export function Affected({ asked }: { asked: AnnouncementAsked }) {
  const affected = useAffected(asked, true).data;
  if (affected === undefined) return null;
  const { items, jobs, jobs_total } = affected;
  return (
    <div className={classes["affected"]} role="status">
      {words.affected(items.length)}
      <List items={items.map(({ id, owner, name, partition }) => [id, words.affectedOne(owner, name, partition)])} />
      <div>{words.affectedJobs(jobs_total)}</div>
      <List items={jobs.map(({ id, owner, name, partition, running }) => [id, words.affectedJob(owner, name, id, partition, running)])} />
      {jobs_total > jobs.length && <div>{words.affectedMore(jobs_total - jobs.length)}</div>}
    </div>
  );
}

function List({ items }: { items: [string, string][] }) {
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map(([id, text]) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );
}
