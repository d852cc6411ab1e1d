import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";

import type { AppOption } from "~/api/types";
import { Providers, makeQueryClient } from "~/app/Providers";
import { makeHandler } from "../../mock/handler";
import { World } from "../../mock/world";
import { OptionFields } from "./OptionFields";
import type { PartProps } from "./part";

const OPTION: AppOption = {
  name: "workers",
  label: "Workers",
  kind: "number",
  default: "2",
  required: false,
  help: "",
  choices: [],
  least: 1,
  most: 8,
  whole: true,
};

function show(option: Partial<AppOption>) {
  const handle = makeHandler(new World());
  vi.stubGlobal("fetch", (input: Request) => handle(input));
  const changed: Record<string, string>[] = [];
  const view = { app: { options: [{ ...OPTION, ...option }] } } as unknown as PartProps["view"];
  function Fields() {
    const [options, setOptions] = useState<Record<string, string>>({});
    const change: PartProps["change"] = (next) => {
      changed.push(next.options ?? {});
      setOptions(next.options ?? {});
    };
    const draft = { options } as unknown as PartProps["draft"];
    return <OptionFields draft={draft} options={{} as PartProps["options"]} view={view} problems={{}} warnings={{}} change={change} />;
  }
  render(
    <Providers queries={makeQueryClient(() => undefined)}>
      <Fields />
    </Providers>,
  );
  return { changed, user: userEvent.setup() };
}

it("takes a number as it is typed, also one that the app will refuse", async () => {
  const { changed, user } = show({});
  const field = await screen.findByRole("textbox", { name: "Workers" });
  expect(field).toHaveValue("2");
  await user.clear(field);
  expect(changed.at(-1)).toEqual({ workers: "" });
  await user.type(field, "12");
  expect(changed.at(-1)).toEqual({ workers: "12" });
  await user.tab();
  expect(field).toHaveValue("12");
});

it("takes a file that is typed, or chosen by browsing", async () => {
  const { changed, user } = show({ name: "script", label: "Script", kind: "file", default: null });
  const field = await screen.findByRole("textbox", { name: "Script" });
  await user.type(field, "~/a.py");
  expect(changed.at(-1)).toEqual({ script: "~/a.py" });
  await user.click(screen.getByRole("button", { name: "Choose a file" }));
  await user.click(await screen.findByRole("button", { name: /^runs/ }));
  await user.click(await screen.findByRole("button", { name: /^readme\.md/ }));
  expect(changed.at(-1)).toEqual({ script: "~/runs/readme.md" });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "Script" })).toHaveValue("~/runs/readme.md");
});
