// Failures come first, in words and with what to do; events update the page in place.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { health } from "../../../mock/health";
import { renderApp } from "~/test/render";

it("says which part is down, since when, and what to do", async () => {
  renderApp("/admin/health");
  expect(await screen.findByText("One component is down: slurmdbd.")).toBeVisible();
  const parts = within(screen.getByRole("list", { name: "Components" })).getAllByRole("listitem");
  expect(parts).toHaveLength(health().parts.length);
  const slurmdbd = parts.find((part) => within(part).queryByText("slurmdbd") !== null);
  expect(slurmdbd).toHaveTextContent("Down");
  expect(slurmdbd).toHaveTextContent("look at slurmdbd.log");
  expect(within(slurmdbd as HTMLElement).getByText("sacctmgr show cluster", { selector: "code" })).toBeVisible();
  expect(screen.getByRole("row", { name: /squeue/ })).toHaveTextContent("12");
});
