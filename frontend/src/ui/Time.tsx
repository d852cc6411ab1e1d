// A time in words with the exact one on hover.
import { clock, exact, left, relative, secondsUntil } from "~/lib/time";
import { useNow } from "~/lib/useNow";

const SAYS = { relative, left, clock };

interface TimeProps {
  at: string;
  as?: keyof typeof SAYS;
}

export function Time({ at, as = "relative" }: TimeProps) {
  const calm = useNow(10);
  const near = Math.abs(secondsUntil(at, calm)) < 90 && as === "left";
  return near ? <Ticking at={at} as={as} step={1} /> : <Shown at={at} as={as} now={calm} />;
}

function Ticking({ at, as, step }: Required<TimeProps> & { step: number }) {
  return <Shown at={at} as={as} now={useNow(step)} />;
}

function Shown({ at, as, now }: Required<TimeProps> & { now: number }) {
  return (
    <time dateTime={at} title={exact(at)}>
      {SAYS[as](at, now)}
    </time>
  );
}
