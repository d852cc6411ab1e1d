import { Link } from "react-router-dom";

import type { JobScope } from "~/api/jobKeys";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./Scopes.module.css";

const SCOPES: readonly JobScope[] = ["active", "ended", "all"];

/** Active, ended or all jobs: links, so that each is an address. The filter and the order stay. */
export function Scopes({ scope, params }: { scope: JobScope; params: URLSearchParams }) {
  return (
    <nav className={classes["scopes"]} aria-label={strings.jobs.scopes.label}>
      {SCOPES.map((one) => (
        <Link key={one} to={addressOf(one, params)} replace className={classes["scope"]} aria-current={one === scope ? "page" : undefined}>
          {strings.jobs.scopes[one]}
        </Link>
      ))}
    </nav>
  );
}

function addressOf(scope: JobScope, params: URLSearchParams): string {
  const next = new URLSearchParams(params);
  next.delete("job");
  if (scope === "active") next.delete("state");
  else next.set("state", scope);
  return pages.jobs(next);
}
