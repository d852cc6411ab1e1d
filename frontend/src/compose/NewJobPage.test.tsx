import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import { renderApp } from "~/test/render";
import { World } from "../../mock/world";

// The editor measures what it draws, which jsdom cannot; the real one is used in the browser tests.
vi.mock("~/ui/script/ScriptEditor", () => ({
  default: ({ value, label, onChange }: { value: string; label: string; onChange: (text: string) => void }) => (
    <textarea aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  ),
}));

beforeEach(() => localStorage.clear());

const script = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Script" });
const name = () => screen.findByRole("textbox", { name: "Name" });
const posted = (requests: Request[], path: string) => requests.findLast(({ method, url }) => method === "POST" && url.endsWith(path));
const replace = async (user: ReturnType<typeof renderApp>["user"], field: HTMLElement, text: string) => {
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
};

it("writes the script as the form changes", async () => {
  const { user, requests } = renderApp("/jobs/new");
  await replace(user, await name(), "train");
  await user.click(screen.getByRole("button", { name: "One node more" }));
  await waitFor(async () => expect((await script()).value).toContain("--job-name=train\n#SBATCH --nodes=2"));
  expect(screen.getByText(/2 nodes, 2 tasks, no GPU, 2 cores/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: /Array, dependencies/ }));
  const qos = screen.getByRole("combobox", { name: "QOS" });
  expect([...within(qos).getAllByRole("option")].map(({ textContent }) => textContent)).toEqual(["normal (default)", "normal", "urgent"]);
  await user.selectOptions(qos, "urgent");
  await waitFor(async () => expect(await posted(requests, "/jobs/compose")?.clone().json()).toMatchObject({ form: { qos: "urgent" } }));
});

it("offers what would fit, going by the last jobs of the same name, and changes nothing by itself", async () => {
  const { user, requests } = renderApp("/jobs/new");
  await replace(user, await name(), "nightly-eval");
  await replace(user, screen.getByRole("spinbutton", { name: "Memory per node (GB)" }), "64");
  await user.click(screen.getByRole("radio", { name: "8 h" }));
  expect(await screen.findByText("Your last 3 finished jobs named “nightly-eval” used at most 3 GB of memory; this job requests 64 GB.")).toBeVisible();
  expect(screen.getByText(/ran for at most 40 min; this job requests 8 h/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Request 5 GB" }));
  await user.click(screen.getByRole("button", { name: "Request 1 h" }));
  await waitFor(async () =>
    expect(await posted(requests, "/jobs/compose")?.clone().json()).toMatchObject({ form: { memory_mib_per_node: 5120, walltime_s: 3600 } }),
  );
  expect(screen.queryByText(/nightly-eval” used/)).toBeNull();
  await user.click(screen.getByRole("radio", { name: "8 h" }));
  await user.click(screen.getByRole("button", { name: "One node more" }));
  expect(screen.queryByText(/nightly-eval” ran/)).toBeNull();
});

it("shows what stands behind the fold when a preset brings it", async () => {
  const { user } = renderApp("/jobs/new");
  await user.click(await screen.findByRole("button", { name: "A preset" }));
  await user.click(await screen.findByRole("button", { name: /An array: the same script/ }));
  const range = await screen.findByRole("textbox", { name: "Job array" });
  expect(range).toHaveValue("0-9");
  expect(screen.getByText(/^10 array tasks, 4 at once, each with 1 node, /)).toBeVisible();
  await user.clear(range);
  expect(range).toHaveFocus();
  expect(screen.queryByText("array task", { exact: false })).toBeNull();
});

it("fills the form from the script, and keeps lines that the form cannot show", async () => {
  const { user } = renderApp("/jobs/new");
  await waitFor(async () => expect((await script()).value).toContain("--job-name=job"));
  await replace(user, await script(), "#!/bin/bash\n#SBATCH --job-name=mine\n#SBATCH --nodes=3\n#SBATCH --nice=5\nhostname\n");
  await waitFor(async () => expect(await name()).toHaveValue("mine"));
  expect(screen.getByText("#SBATCH --nice=5", { selector: "li" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "One node fewer" }));
  await waitFor(async () => expect((await script()).value).toContain("--nodes=2"));
  expect((await script()).value).toContain("--nice=5");
});

it("fills the form from a script of the page Files, which can be submitted as it is", async () => {
  const { user, requests } = renderApp("/jobs/new?script=%7E%2Fwork%2Ftrain.sh");
  const submit = await screen.findByRole("button", { name: "Submit" });
  await waitFor(() => expect(submit).toBeEnabled());
  const written = (await script()).value;
  await user.click(submit);
  await waitFor(async () => expect(await posted(requests, "/jobs")?.clone().json()).toMatchObject({ script: written }));
});

it("says when the form can no longer follow, and takes the form's version on demand", async () => {
  const { user } = renderApp("/jobs/new");
  await waitFor(async () => expect((await script()).value).toContain("--job-name=job"));
  await replace(user, await script(), "#!/bin/bash\n#SBATCH --nodes=many\nhostname\n");
  expect(await screen.findByText(/“many” is no number of nodes/)).toBeVisible();
  expect(screen.getByRole("group", { name: "Form" })).toBeDisabled();
  await user.click(screen.getByRole("button", { name: "Replace the script with the form’s" }));
  await waitFor(async () => expect((await script()).value).toContain("--nodes=1"));
});

it("begins with a job of mine, with what should change said and filled in", async () => {
  const { user, router } = renderApp("/jobs/new?from=8090");
  expect(await screen.findByText("Memory per node: 10 GB → 16 GB")).toBeVisible();
  expect(screen.getByRole("spinbutton", { name: "Memory per node (GB)" })).toHaveValue(16);
  await waitFor(() => expect(router.state.location.search).toBe(""));
  await user.click(screen.getByRole("button", { name: "One node more" }));
  await waitFor(async () => expect((await script()).value).toContain("--nodes=3"));
  expect((await script()).value).toContain("--nice=5");
});

it("asks anew for a job that is begun with once more: it may have ended meanwhile", async () => {
  const { user, requests } = renderApp("/jobs/new");
  const asked = () => requests.filter(({ url }) => url.endsWith("/jobs/8090/again")).length;
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole("button", { name: "One of my jobs" }));
    await user.click(await screen.findByRole("button", { name: /big-batch/ }));
    expect(await screen.findByText("Started from job 8090.", { exact: false })).toBeVisible();
    await waitFor(() => expect(asked()).toBe(times));
    await user.click(screen.getByRole("button", { name: "A blank form" }));
    await waitFor(() => expect(screen.queryByText("Started from job 8090.", { exact: false })).toBeNull());
  }
});

it("puts what Slurm would refuse beside its field", async () => {
  const { user } = renderApp("/jobs/new?preset=torchrun");
  const nodes = await screen.findByRole("spinbutton", { name: "Nodes" });
  await replace(user, nodes, "7");
  await user.click(screen.getByRole("button", { name: "Check" }));
  const field = within(screen.getByRole("group", { name: "Nodes" }));
  expect(await field.findByText("sxm2 has 6 nodes. Ask for at most 6.")).toBeVisible();
});

it("submits the script with what was typed last, and leads to the job", async () => {
  const { user, requests, router } = renderApp("/jobs/new?preset=torchrun");
  await user.click(await screen.findByRole("button", { name: "One node more" }));
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/jobs\/\d+$/));
  expect(await posted(requests, "/jobs")?.clone().json()).toMatchObject({ script: expect.stringContaining("--nodes=3") as string });
});

it("keeps everything when Slurm does not answer, also over a reload", async () => {
  const { user, unmount } = renderApp("/jobs/new?preset=torchrun", { scene: "down" });
  await replace(user, await name(), "patient");
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText(/Could not submit the job/)).toBeVisible();
  expect(await name()).toHaveValue("patient");
  unmount();
  renderApp("/jobs/new");
  expect(await name()).toHaveValue("patient");
});

it("keeps a draft from the next user of this browser", async () => {
  const { user, unmount } = renderApp("/jobs/new");
  await replace(user, await name(), "secret-plan");
  unmount();
  const bob = new World();
  bob.username = "bob";
  const next = renderApp("/jobs/new", { world: bob });
  expect(await name()).not.toHaveValue("secret-plan");
  next.unmount();
  renderApp("/jobs/new");
  expect(await name()).toHaveValue("secret-plan");
});

it.each([
  [2, /^It would start now on node\[001-002\]\.$/],
  [900, /^Slurm expects it to start by (tomorrow )?\d\d:\d\d on node\[001-002\], or sooner if running jobs end early\.$/],
])("says when a job that starts in %d s would, in local time", async (seconds, words) => {
  const world = new World();
  world.jobStartsInS = seconds;
  const { user } = renderApp("/jobs/new?preset=torchrun", { world });
  await screen.findByRole("spinbutton", { name: "Nodes" });
  await user.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText(words)).toBeVisible();
});

it("takes a notebook that JupyterLab names, with its environment and GPUs", async () => {
  const path = "/home/alice/runs/study one.ipynb";
  const query = new URLSearchParams({ preset: "notebook", notebook: path, environment: "pytorch", gpus: "2" });
  const { router, requests } = renderApp(`/jobs/new?${query}`);
  expect(await screen.findByDisplayValue("study one")).toBeVisible();
  expect(await screen.findByDisplayValue(path)).toBeVisible();
  expect(screen.getByDisplayValue("{}")).toBeVisible();
  const form = { environment: "pytorch", gpus_per_node: 2 };
  await waitFor(async () => expect(await posted(requests, "/jobs/compose")?.clone().json()).toMatchObject({ form }));
  expect(router.state.location.search).toBe("");
});
