// Where a notebook opens: in a ready session, or in a new one.
import { Button } from "@mantine/core";
import { Link } from "react-router-dom";

import { useActiveSessions } from "~/api/queries";
import { EMPTY, writeDraft } from "~/api/sessionDraft";
import type { Session, Template } from "~/api/types";
import { useOpenTemplate } from "~/api/writes";
import { leave } from "~/lib/leave";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { InstallControl } from "~/ui/InstallControl";
import { PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark } from "~/ui/StateMark";
import { lookOf } from "~/ui/sessionLook";
import { compactResources } from "~/ui/sessionWords";
import classes from "./OpenDialog.module.css";
import { useCopyState } from "./copies";

const words = strings.templates;
const copyWords = strings.copies;
const NOTEBOOK_APP = "jupyterlab";

interface OpenDialogProps {
  template: Template;
  /** The site's version, copied beside the user's changed copy. */
  beside?: boolean;
  onClose: () => void;
}

export function OpenDialog({ template, beside = false, onClose }: OpenDialogProps) {
  const sessions = useActiveSessions().data?.items ?? [];
  const ready = sessions.filter((session) => session.state === "ready" && session.app === NOTEBOOK_APP);
  const open = useOpenTemplate();
  const wanted = template.environment_title;
  const openIn = (session: Session) =>
    open.mutate(
      { template: template.id, session: session.id, version: beside ? "new" : "mine" },
      { onSuccess: ({ url }) => leave.to(url) },
    );
  return (
    <Dialog opened onClose={onClose} title={beside ? copyWords.besideTitle(template.title) : words.choose(template.title)} closeLabel={strings.dialog.close}>
      {!template.available && wanted === null && (
        <p>
          {words.needsImage(template.image)} <Link to={pages.imageCatalogue()}>{words.toImages}</Link>
        </p>
      )}
      {!template.available && template.environment !== null && wanted !== null && (
        <div className={classes["missing"]}>
          <p>{words.unavailable(wanted)}</p>
          <InstallControl name={template.environment} />
        </div>
      )}
      <CopyNote template={template} beside={beside} onClose={onClose} />
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
        <PageButton to={pages.newSession(queryFor(template, beside))} size="xs">
          {words.newSession}
        </PageButton>
      </div>
    </Dialog>
  );
}

/** Which of two versions to open, if there are two. */
function CopyNote({ template, beside, onClose }: Required<OpenDialogProps>) {
  const state = useCopyState(template.id);
  if (beside) return <p className="quiet">{copyWords.besideText}</p>;
  if (state !== "outdated") return null;
  return (
    <p className={classes["note"]}>
      {copyWords.newerHere}{" "}
      <Link to={pages.difference(template.id)} onClick={onClose}>
        {copyWords.toDifference}
      </Link>
    </p>
  );
}

function queryFor(template: Template, beside: boolean): URLSearchParams {
  return writeDraft({
    ...EMPTY,
    app: NOTEBOOK_APP,
    environment: template.environment_title === null ? null : template.environment,
    gpus: template.gpus,
    template: template.id,
    version: beside ? "new" : null,
  });
}
