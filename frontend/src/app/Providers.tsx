// What wraps every page: theme, data, and the handling of an expired login.
import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Problem } from "~/api/errors";
import { keys } from "~/api/keys";
import { leave } from "~/lib/leave";
import { live } from "~/live/status";
import { outside } from "~/paths";
import { colorSchemeManager } from "~/theme/colorScheme";
import { cssVariables, theme } from "~/theme/theme";

const RETRIES = 2;

export function makeQueryClient(goTo: (url: string) => void = leave.to): QueryClient {
  let leaving = false;
  const onError = (error: unknown) => {
    if (!(error instanceof Problem) || error.kind !== "expired" || leaving) return;
    // Never logged in on this page: nothing can be lost, so redirect at once. Otherwise ask, and keep what was typed.
    leaving = queries.getQueryData(keys.me) === undefined;
    if (leaving) goTo(outside.login(location.pathname + location.search));
    else live.loginExpired();
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        networkMode: "always",
        retry: (failures, error) =>
          failures < RETRIES && error instanceof Problem && (error.kind === "later" || error.kind === "offline"),
      },
      mutations: { networkMode: "always" },
    },
  });
  return queries;
}

export function Providers({ children, queries }: { children: ReactNode; queries?: QueryClient }) {
  const [client] = useState(() => queries ?? makeQueryClient());
  return (
    <QueryClientProvider client={client}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        {children}
      </MantineProvider>
    </QueryClientProvider>
  );
}
