// What the portal says, in a sentence: what stands between backticks is typed somewhere, and looks like it.
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
