// The environments of the site, with their state and what to do about it.
import { Skeleton } from "@mantine/core";

import { useEnvironments } from "~/api/queries";
import type { Environment } from "~/api/types";
import { megabytes } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { InstallControl } from "~/ui/InstallControl";
import { PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import type { Look } from "~/ui/look";
import classes from "./EnvironmentsPage.module.css";

const words = strings.environments;

export function EnvironmentList() {
  const { data, error, refetch } = useEnvironments();
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return (
      <div aria-busy="true">
        <Skeleton height={72} mb="xs" />
        <Skeleton height={72} mb="xs" />
        <Skeleton height={72} />
      </div>
    );
  }
  if (data.items.length === 0) {
    return (
      <Empty>
        <p>{words.empty}</p>
      </Empty>
    );
  }
  return (
    <ul className={`card ${classes["list"]}`}>
      {data.items.map((environment) => (
        <EnvironmentRow key={environment.name} environment={environment} />
      ))}
    </ul>
  );
}

function EnvironmentRow({ environment }: { environment: Environment }) {
  const { name, title, version, description, installed, size_mb } = environment;
  const look = lookOf(environment);
  const size = size_mb === 0 ? null : megabytes(size_mb);
  return (
    <li className={classes["row"]}>
      <div className={classes["what"]}>
        <h2 className={classes["title"]}>
          {title} <span className={classes["version"]}>{version}</span>
        </h2>
        <p className={classes["text"]}>{description}</p>
      </div>
      <div className={classes["state"]}>
        <span className={classes["mark"]}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
        {size !== null && <span className={classes["size"]}>{installed ? words.sizeInstalled(size) : words.size(size)}</span>}
        {environment.state === "failed" && environment.message !== "" && (
          <span className={classes["failed"]}>{environment.message}</span>
        )}
      </div>
      <div className={classes["act"]}>
        {installed && environment.state !== "installing" ? (
          <PageButton to={pages.newSession(new URLSearchParams({ environment: name }))} variant="default" size="xs">
            {words.use}
          </PageButton>
        ) : (
          <InstallControl name={name} />
        )}
      </div>
    </li>
  );
}

const LOOKS: Record<Environment["state"], Pick<Look, "shape" | "tone">> = {
  absent: { shape: "dotted", tone: "idle" },
  installing: { shape: "half", tone: "wait" },
  installed: { shape: "full", tone: "good" },
  failed: { shape: "cross", tone: "bad" },
};

function lookOf({ state }: Environment): Look {
  return { ...LOOKS[state], word: words.states[state] };
}
