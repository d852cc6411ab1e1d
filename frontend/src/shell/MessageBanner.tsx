// A message from an administrator to me, until I dismiss it.
import { MailIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import type { Message } from "~/api/types";
import { useReadMessage } from "~/api/writes";
import { exact } from "~/lib/time";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Banner } from "~/ui/Banner";

const words = strings.messages;

export function MessageBanner({ message }: { message: Message }) {
  const read = useReadMessage();
  return (
    <Banner
      icon={<MailIcon />}
      text={words.from(message.author)}
      advice={message.text}
      title={exact(message.at)}
      actions={
        <>
          {message.session_id !== null && <Link to={pages.session(message.session_id)}>{words.session}</Link>}
          <button type="button" aria-label={words.dismissOf(message.text)} onClick={() => read.mutate(message.id)}>
            {words.dismiss}
          </button>
        </>
      }
    />
  );
}
