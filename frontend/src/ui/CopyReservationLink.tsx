// Copies the link that opens New session with a reservation chosen, to hand out to a class.
import { Button } from "@mantine/core";
import { CopyIcon } from "@primer/octicons-react";
import { useState } from "react";

import { copyText } from "~/lib/clipboard";
import { reservationLink } from "~/paths";
import { strings } from "~/strings/en";

const words = strings.launch.reservations;

export function CopyReservationLink({ name }: { name: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<CopyIcon />}
      aria-label={copied ? words.copied : words.copyOf(name)}
      onClick={() => void copyText(reservationLink(name)).then(() => setCopied(true))}
    >
      {copied ? words.copied : words.copy}
    </Button>
  );
}
