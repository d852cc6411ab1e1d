import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { draftOf, moreMemory, writeDraft } from "~/launch/draft";
import { gb } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";

/** To the form, filled as this session was; after running out of memory, with more of it. */
export function StartAgain({ session, variant = "default" }: { session: Session; variant?: "default" | "subtle" | "filled" }) {
  const policy = useOptions().data?.policy;
  const more = session.end?.code === "oom" ? moreMemory(session.resources.memory_mib) : null;
  const draft = draftOf(session, policy);
  const query = writeDraft(more === null ? draft : { ...draft, memoryMib: more });
  return (
    <PageButton to={pages.newSession(query)} variant={variant} size={variant === "subtle" ? "xs" : "sm"}>
      {more === null ? strings.sessions.startAgain : strings.sessions.startAgainWith(gb(more))}
    </PageButton>
  );
}
