// Renders the whole app at a URL, with the mock API.
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { RouterProvider, createMemoryRouter } from "react-router-dom";
import { vi } from "vitest";

import { routerFuture, routes } from "~/app/App";
import { Providers, makeQueryClient } from "~/app/Providers";
import { makeHandler } from "../../mock/handler";
import { World, type Scene } from "../../mock/world";

interface Over {
  scene?: Scene;
  world?: World;
  /** Awaited before each response; a rejection simulates a network failure. */
  before?: (request: Request) => Promise<void> | undefined;
}

export function renderApp(address: string, { scene = "full", world = new World(), before }: Over = {}) {
  world.setScene(scene);
  const handle = makeHandler(world);
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (input: Request) => {
    requests.push(input.clone());
    await before?.(input);
    return handle(input);
  });
  const went: string[] = [];
  const queries = makeQueryClient((url) => went.push(url));
  queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retry: false } });
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const view = render(
    <Providers queries={queries}>
      <RouterProvider router={router} future={routerFuture} />
    </Providers>,
  );
  return { ...view, router, queries, world, requests, went, user: userEvent.setup() };
}
