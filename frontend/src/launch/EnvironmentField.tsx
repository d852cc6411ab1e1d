import { NativeSelect } from "@mantine/core";

import { useMe } from "~/api/queries";
import { InstallControl } from "~/environments/InstallControl";
import { strings } from "~/strings/en";
import classes from "./EnvironmentField.module.css";
import type { PartProps } from "./part";
import { environmentRefused } from "./view";

export function EnvironmentField({ view, problems, change }: PartProps) {
  const admin = useMe().data?.admin ?? false;
  const { environment, environments } = view;
  const refused = environment === undefined ? null : environmentRefused(environment, admin);
  const problem = problems["environment"] ?? refused ?? undefined;
  return (
    <div {...(problem === undefined ? {} : { "data-problem": "" })}>
      <NativeSelect
        className={classes["select"] ?? ""}
        label={strings.launch.environment}
        description={environment?.description}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={problem}
        value={environment?.name ?? ""}
        onChange={(event) => change({ environment: event.currentTarget.value })}
        data={environments.map((one) => ({
          value: one.name,
          label: [one.title, one.version, one.installed ? null : strings.launch.notInstalled].filter(Boolean).join(" · "),
        }))}
      />
      {environment !== undefined && !environment.installed && (
        <div className={classes["install"]}>
          <InstallControl name={environment.name} />
        </div>
      )}
    </div>
  );
}
