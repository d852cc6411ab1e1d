// Leads into what another user shares with me: to the session's host, which sends the browser back here once to prove
// that it is the same browser, and then in.
import { Loader } from "@mantine/core";
import { useEffect } from "react";
import { useParams, useSearchParams } from "react-router-dom";

import { fromThrown } from "~/api/errors";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { useOpening } from "./shares";

const words = strings.sharing;

export default function SharedPage() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const { data, error, refetch } = useOpening(id, query.get("state"));
  useEffect(() => {
    if (data !== undefined) window.location.replace(data.location);
  }, [data]);
  return (
    <Page title={error === null ? words.opening : words.cannotOpen}>
      {error === null ? (
        <p role="status">
          <Loader size="xs" mr="xs" /> {words.wait}
        </p>
      ) : (
        <>
          <ProblemNote error={error} {...(fromThrown(error).kind === "missing" ? {} : { onRetry: () => void refetch() })} />
          <PageButton to={pages.sessions()} variant="default" mt="md">
            {strings.notFound.home}
          </PageButton>
        </>
      )}
    </Page>
  );
}
