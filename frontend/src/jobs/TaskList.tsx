// The tasks of an array, a hundred at a time, by state; tasks can be selected by number.
import { Button, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router-dom";

import type { JobRow } from "~/api/jobTypes";
import { TASK_STATES, jobReads, type TaskState } from "~/api/jobs";
import { numbersOf } from "~/lib/ranges";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { lookOfJob } from "~/ui/jobLook";
import { RowCheck } from "~/ui/table/Checks";
import type { Selection } from "~/ui/table/useSelection";
import classes from "./TaskList.module.css";
import { TimeCell } from "./TimeCell";
import { Why } from "./Why";
import type { Target } from "./actions";

const words = strings.jobs.array;

export function TaskList({ array, selection }: { array: JobRow; selection: Selection<Target> }) {
  const [state, setState] = useState<TaskState>("all");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(jobReads.tasks(array.id, state));
  const rows = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className={classes["tasks"]} aria-label={`${words.title}: ${array.name}`}>
      <div className={classes["bar"]}>
        <NativeSelect
          size="xs"
          aria-label={words.filter}
          value={state}
          onChange={(event) => setState(event.currentTarget.value as TaskState)}
          data={TASK_STATES.map((value) => ({ value, label: words.states[value] }))}
        />
        <SelectByNumber array={array} selection={selection} />
      </div>
      {data === undefined && error === null && <Skeleton height={120} role="status" aria-label={words.loading} />}
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {data !== undefined && rows.length === 0 && <p className="quiet">{words.none}</p>}
      {rows.length > 0 && (
        <ul className={classes["list"]}>
          {rows.map((row) => (
            <li key={row.id} className={classes["task"]} data-selected={selection.has(row) || undefined}>
              <RowCheck row={row} rows={rows} name={row.name} selection={selection} />
              <span className="mono">
                <Link to={pages.job(array.id, taskQuery(row.id))}>{row.id}</Link>
              </span>
              <span className={classes["state"]}>
                <StateMark look={lookOfJob(row)} />
                <StateWord look={lookOfJob(row)} />
                <span className={classes["why"]}>
                  <Why row={row} />
                </span>
              </span>
              <TimeCell row={row} />
              <span className="mono quiet">{row.node_list}</span>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {strings.jobs.older}
        </Button>
      )}
    </section>
  );
}

/** The array's page, with the output of one of its tasks. */
const taskQuery = (id: string) => new URLSearchParams({ task: id.split("_")[1] ?? "" });

function SelectByNumber({ array, selection }: { array: JobRow; selection: Selection<Target> }) {
  const [range, setRange] = useState("");
  const [wrong, setWrong] = useState(false);
  const select = (event: SubmitEvent) => {
    event.preventDefault();
    const numbers = numbersOf(range);
    setWrong(numbers === null);
    if (numbers === null) return;
    const name = words.some(array.name, numbers.length);
    selection.set([{ ...array, id: `${array.id}_[${range.replaceAll(/\s/g, "")}]`, name, array: null }], true);
  };
  return (
    <form className={classes["range"]} onSubmit={select}>
      <TextInput
        size="xs"
        aria-label={words.range}
        placeholder={words.rangeExample}
        value={range}
        error={wrong ? words.rangeBad : undefined}
        onChange={(event) => setRange(event.currentTarget.value)}
      />
      <Button size="xs" type="submit" variant="default" disabled={range.trim() === ""}>
        {words.selectRange}
      </Button>
    </form>
  );
}
