// Drains nodes: the reason, until when, and who is affected and notified. Also used in the cluster page's side panel.
import { Button, TextInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";

import classes from "~/ui/Form.module.css";
import { byField, fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { pageOfJob } from "./jobs";
import { useDrain, type NodeRow } from "./nodes";

const words = strings.admin.nodes;
const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

type Drained = Pick<NodeRow, "name" | "jobs">;

interface DrainDialogProps {
  nodes: readonly Drained[];
  opened: boolean;
  onClose: () => void;
}

export function DrainDialog({ nodes, opened, onClose }: DrainDialogProps) {
  const drain = useDrain();
  const [reason, setReason] = useState("");
  const [deadline, setDeadline] = useState("");
  const [message, setMessage] = useState("");
  const problems = drain.error === null ? {} : byField(fromThrown(drain.error).fields);
  const close = () => {
    drain.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={words.drainTitle(nodes.map(({ name }) => name))} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          const asked = {
            nodes: nodes.map(({ name }) => name),
            reason,
            message,
            deadline: deadline === "" ? null : new Date(deadline).toISOString(),
          };
          drain.mutate(asked, { onSuccess: close });
        }}
      >
        <Affected nodes={nodes} />
        <TextInput
          label={words.reason}
          description={words.reasonHint}
          inputWrapperOrder={ORDER}
          error={problems["reason"]}
          required
          maxLength={150}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={words.deadline}
          description={words.deadlineHint}
          inputWrapperOrder={ORDER}
          error={problems["deadline"]}
          value={deadline}
          onChange={(event) => setDeadline(event.currentTarget.value)}
        />
        <Textarea
          label={words.message}
          inputWrapperOrder={ORDER}
          error={problems["message"]}
          maxLength={500}
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value.replace(/[\r\n]+/g, " "))}
        />
        {drain.error !== null && <ProblemNote error={drain.error} title={words.drainFailed} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {words.keep}
          </Button>
          <Button type="submit" color="bad" loading={drain.isPending}>
            {words.drain}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The users on these nodes: their jobs go on, and they are notified. */
export function Affected({ nodes }: { nodes: readonly Drained[] }) {
  const jobs = nodes.flatMap(({ name, jobs }) => jobs.map((job) => ({ ...job, node: name })));
  if (jobs.length === 0) return <p className="quiet">{words.nobody}</p>;
  const people = [...new Set(jobs.map(({ user }) => user))].sort();
  return (
    <div className={classes["affected"]}>
      <p>{words.affected(people)}</p>
      <ul>
        {jobs.slice(0, 8).map((job) => (
          <li key={`${job.id}-${job.node}`}>
            {job.user}: <Link to={pageOfJob(job)}>{job.name}</Link> {words.affectedJob(job.id, job.node)}
          </li>
        ))}
      </ul>
      {jobs.length > 8 && <p className="quiet">{words.more(jobs.length - 8)}</p>}
    </div>
  );
}
