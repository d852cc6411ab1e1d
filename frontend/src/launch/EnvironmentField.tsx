import { NativeSelect } from "@mantine/core";

import { useMe } from "~/api/queries";
import { strings } from "~/strings/en";
import { InstallControl } from "~/ui/InstallControl";
import { marked } from "~/ui/Section";
import classes from "./EnvironmentField.module.css";
import type { PartProps } from "./part";
import { environmentRefused, type View } from "./view";

const words = strings.launch;
const KINDS = ["path", "modules", "image"] as const;

export function EnvironmentField({ view, problems, change }: PartProps) {
  const admin = useMe().data?.admin ?? false;
  const { environment, environments } = view;
  const refused = environment === undefined ? null : environmentRefused(environment, admin);
  const problem = problems["environment"] ?? refused ?? undefined;
  if (environments.length === 0) return null;
  return (
    <div {...marked(problem)}>
      <NativeSelect
        className={classes["select"] ?? ""}
        label={words.environment}
        description={environment?.description}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={problem}
        value={environment?.name ?? ""}
        onChange={(event) => change({ environment: event.currentTarget.value })}
        data={choicesOf(environments)}
      />
      {environment !== undefined && environment.kind === "path" && !environment.installed && (
        <div className={classes["install"]}>
          <InstallControl name={environment.name} />
        </div>
      )}
    </div>
  );
}

type Known = View["environments"];

/** Grouped under headings if there is more than one kind; a user's own images apart from the site's. */
function choicesOf(environments: Known) {
  const groups = [
    ...KINDS.map((kind) => ({
      group: strings.apps.environments[kind],
      items: environments.filter((environment) => environment.kind === kind && !environment.own).map(choiceOf),
    })),
    { group: strings.apps.environments.own, items: environments.filter(({ own }) => own).map(choiceOf) },
  ].filter(({ items }) => items.length > 0);
  return groups.length === 1 ? (groups[0]?.items ?? []) : groups;
}

function choiceOf({ name, title, version, installed, reason }: Known[number]) {
  const closed = installed ? null : reason == null ? words.notInstalled : strings.apps.unavailable;
  return { value: name, label: [title, version, closed].filter(Boolean).join(" · ") };
}
