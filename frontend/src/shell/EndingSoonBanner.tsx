// My sessions that are about to reach their time limit, with the way to more time.
import { ClockIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import { useActiveSessions } from "~/api/queries";
import { relative } from "~/lib/time";
import { endsSoon } from "~/live/notices";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Banner } from "~/ui/Banner";

const EXTEND = new URLSearchParams({ extend: "1" });

export function EndingSoonBanner({ now }: { now: number }) {
  const sessions = useActiveSessions().data?.items ?? [];
  return sessions
    .filter((session) => endsSoon(session, now))
    .map(({ id, name, ends_at }) => (
      <Banner
        key={id}
        icon={<ClockIcon />}
        text={strings.notify.soon(name, relative(ends_at ?? "", now))}
        advice={strings.notify.soonBody}
        actions={<Link to={pages.session(id, EXTEND)}>{strings.sessionTime.extend}</Link>}
      />
    ));
}
