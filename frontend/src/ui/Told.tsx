// A sentence from the portal; text between backticks is shown as code.
import { Fragment } from "react";

export function Told({ text }: { text: string }) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return text;
  return parts.map((part, at) => {
    if (at % 2 === 0) return <Fragment key={at}>{part}</Fragment>;
    return (
      <code key={at} className="mono">
        {part}
      </code>
    );
  });
}
