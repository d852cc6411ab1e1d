import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { metered, prefetch } from "~/lib/prefetch";
import { reads } from "./queries";
import type { App } from "./types";

/** Load what JupyterLab's page will need while the user fills in the form or waits, unless they pay for it. */
export function useLabFiles(app: App | undefined, environment: string | undefined): void {
  const wanted = app?.kind === "jupyter" && environment !== undefined && !metered();
  const { data } = useQuery({ ...reads.labFiles(environment ?? ""), enabled: wanted });
  useEffect(() => {
    if (wanted && data !== undefined) prefetch(data.urls);
  }, [wanted, data]);
}
