// Where a notebook opens: in a session that is ready, or in a new one made for it.
import { Button } from "@mantine/core";

import { leave } from "~/app/leave";
import { useActiveSessions } from "~/api/queries";
import type { Session, Template } from "~/api/types";
import { useOpenTemplate } from "~/api/writes";
import { InstallControl } from "~/environments/InstallControl";
import { EMPTY, writeDraft } from "~/launch/draft";
import { pages } from "~/paths";
import { StateMark } from "~/sessions/StateMark";
import { lookOf } from "~/sessions/state";
import { compactResources } from "~/sessions/words";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./OpenDialog.module.css";

const words = strings.templates;
const NOTEBOOK_APP = "jupyterlab";

export function OpenDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const sessions = useActiveSessions().data?.items ?? [];
  const ready = sessions.filter((session) => session.state === "ready" && session.app === NOTEBOOK_APP);
  const open = useOpenTemplate();
  const wanted = template.environment_title;
  const openIn = (session: Session) =>
    open.mutate({ template: template.id, session: session.id }, { onSuccess: ({ url }) => leave.to(url) });
  return (
    <Dialog opened onClose={onClose} title={words.choose(template.title)} closeLabel={strings.dialog.close}>
      {!template.available && template.environment !== null && (
        <div className={classes["missing"]}>
          <p>{words.unavailable(wanted ?? template.environment)}</p>
          <InstallControl name={template.environment} />
        </div>
      )}
      <h3 className="section-title">{words.running}</h3>
      {ready.length === 0 && <p className="quiet">{words.runningNone}</p>}
      <ul className={classes["list"]}>
        {ready.map((session) => (
          <li key={session.id} className={classes["row"]}>
            <StateMark look={lookOf(session)} />
            <span className={classes["names"]}>
              <strong>{session.name}</strong>
              <span className="quiet small">
                {session.environment_title} · {compactResources(session.resources)}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              disabled={!template.available}
              loading={open.isPending && open.variables.session === session.id}
              onClick={() => openIn(session)}
              aria-label={`${words.openHere}: ${session.name}`}
            >
              {words.openHere}
            </Button>
          </li>
        ))}
      </ul>
      {open.error !== null && <ProblemNote error={open.error} />}
      <h3 className="section-title">{words.fresh}</h3>
      <div className={classes["row"]}>
        <span className={classes["names"]}>
          {words.freshText(wanted ?? words.notebookEnvironment, strings.resources.gpus(template.gpus, null))}
        </span>
        <PageButton to={pages.newSession(queryFor(template))} size="xs">
          {words.newSession}
        </PageButton>
      </div>
    </Dialog>
  );
}

function queryFor(template: Template): URLSearchParams {
  return writeDraft({
    ...EMPTY,
    app: NOTEBOOK_APP,
    environment: template.environment,
    gpus: template.gpus,
    template: template.id,
  });
}
