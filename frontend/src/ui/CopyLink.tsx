// Copies a link, and says so.
import { Button } from "@mantine/core";
import { CopyIcon } from "@primer/octicons-react";
import { useState } from "react";

import { copyText } from "~/lib/clipboard";

interface CopyLinkProps {
  link: string;
  text: string;
  copied: string;
  /** What it is called, if the text alone does not say it. */
  label?: string;
}

export function CopyLink({ link, text, copied, label = text }: CopyLinkProps) {
  const [done, setDone] = useState(false);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<CopyIcon />}
      aria-label={done ? copied : label}
      onClick={() => void copyText(link).then(() => setDone(true))}
    >
      {done ? copied : text}
    </Button>
  );
}
