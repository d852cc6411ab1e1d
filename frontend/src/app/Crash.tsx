// Shown when a page fails to render, or its script is gone because the portal was updated.
import { Button } from "@mantine/core";
import { useRouteError } from "react-router-dom";

import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";

/** Inside the app's frame, or instead of it if the frame itself failed. */
export function Crash({ whole = false }: { whole?: boolean }) {
  const error = useRouteError();
  const outdated = error instanceof TypeError && /import|module/i.test(error.message);
  const Frame = whole ? "main" : "div";
  return (
    <Frame style={{ maxWidth: 560, margin: "48px auto", padding: 16 }}>
      <h1 className="hidden">{strings.errors.crashTitle}</h1>
      <Empty title={outdated ? "" : strings.errors.crashTitle}>
        <p role="alert">{outdated ? strings.errors.newVersion : strings.errors.crashText}</p>
        <Button mt="md" onClick={() => location.reload()}>
          {strings.errors.reload}
        </Button>
      </Empty>
    </Frame>
  );
}
