// Opens the dialog for more or less time; by itself if the address says so (`?extend=1`), as warnings and Lab do.
import { Button } from "@mantine/core";
import { ClockIcon } from "@primer/octicons-react";
import { Suspense, lazy, useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";

import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";

const TimeDialog = lazy(() => import("./TimeDialog"));

export function TimeButton({ session }: { session: Session }) {
  const [query, setQuery] = useSearchParams();
  const asked = useParams()["id"] === session.id && query.has("extend");
  const [opened, setOpened] = useState(false);
  const mayExtend = useOptions().data?.policy.may_extend === true;
  const close = () => {
    setOpened(false);
    if (asked) setQuery({}, { replace: true });
  };
  return (
    <>
      <Button variant="default" leftSection={<ClockIcon />} onClick={() => setOpened(true)}>
        {mayExtend ? strings.sessionTime.extend : strings.sessionTime.shorten}
      </Button>
      {(opened || asked) && (
        <Suspense fallback={null}>
          <TimeDialog session={session} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
