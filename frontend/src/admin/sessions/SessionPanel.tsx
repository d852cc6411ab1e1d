// One session of any user beside the list: its use, its details, its log.
import { readLog } from "~/api/queries";
import type { Session } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Fact, Facts, TimeFact } from "~/ui/Facts";
import { PageButton } from "~/ui/LinkButton";
import { SessionFacts } from "~/ui/SessionFacts";
import { SessionUsage } from "~/ui/SessionUsage";
import { SidePanel } from "~/ui/SidePanel";
import { StateMark, StateWord } from "~/ui/StateMark";
import { OutputPanel } from "~/ui/output/OutputPanel";
import { lookOf } from "~/ui/sessionLook";
import { environmentOf } from "~/ui/sessionWords";
import classes from "./SessionPanel.module.css";

const words = strings.adminSessions;

export function SessionPanel({ session, onClose }: { session: Session; onClose: () => void }) {
  const look = lookOf(session);
  const actions = (
    <PageButton to={pages.session(session.id)} variant="default" size="xs">
      {words.page}
    </PageButton>
  );
  return (
    <SidePanel title={<bdi>{session.name}</bdi>} closeLabel={words.close} onClose={onClose} actions={actions}>
      <div className={classes["parts"]}>
        <p className={classes["look"]}>
          <StateMark look={look} /> <StateWord look={look} />
        </p>
        {session.reason !== null && <p className="quiet">{session.reason}</p>}
        <Facts>
          <Fact name={words.owner}><bdi>{session.owner}</bdi></Fact>
          <TimeFact name={words.lastUsed} at={session.used_at} />
        </Facts>
        <p className="quiet">{`${session.app_title} · ${environmentOf(session)}`}</p>
        {session.state === "ready" && <SessionUsage session={session} />}
        <SessionFacts session={session} />
        <section aria-label={words.log}>
          <h3 className="section-title">{words.log}</h3>
          <OutputPanel
            source={{ key: session.id, read: (offset, limit) => readLog(session.id, offset, limit) }}
            label={words.log}
            fileName={`${session.name}.log`}
          />
        </section>
      </div>
    </SidePanel>
  );
}
