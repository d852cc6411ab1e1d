// Installing an environment, live: a button for administrators, its progress for everybody on the page.
import { Button, Progress } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";

import { fromThrown } from "~/api/errors";
import { useEnvironments, useMe } from "~/api/queries";
import { useInstallEnvironment } from "~/api/writes";
import { strings } from "~/strings/en";
import classes from "./InstallControl.module.css";

const words = strings.environments;

export function InstallControl({ name }: { name: string }) {
  const admin = useMe().data?.admin ?? false;
  const environment = useEnvironments().data?.items.find((environment) => environment.name === name);
  const install = useInstallEnvironment();
  if (environment === undefined) return null;
  if (environment.state === "installing" || install.isPending) {
    return (
      <div className={classes["progress"]}>
        <Progress.Root size="sm">
          <Progress.Section
            value={environment.progress}
            animated
            aria-label={words.installOf(environment.title)}
          />
        </Progress.Root>
        <p className={classes["message"]} role="status">
          {environment.message || words.states.installing}
        </p>
      </div>
    );
  }
  if (environment.installed) return null;
  if (!environment.installable) return <p className={classes["message"]}>{words.notInstallable}</p>;
  if (!admin) return <p className={classes["message"]}>{words.adminOnly}</p>;
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<DownloadIcon />}
        aria-label={words.installOf(environment.title)}
        onClick={() => install.mutate(name)}
      >
        {environment.state === "failed" ? words.again : words.install}
      </Button>
      {install.error !== null && (
        <p className={classes["problem"]} role="alert">
          {fromThrown(install.error).message}
        </p>
      )}
    </div>
  );
}
