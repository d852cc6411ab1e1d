import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";

export function NotFoundPage() {
  return (
    <Page title={strings.notFound.title}>
      <Empty>
        <p>{strings.notFound.text}</p>
        <PageButton to={pages.sessions()} variant="default" mt="md">
          {strings.notFound.home}
        </PageButton>
      </Empty>
    </Page>
  );
}
