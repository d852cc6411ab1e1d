// A state as a coloured shape. The word is always beside it: the shape alone is decoration.
import classes from "./StateMark.module.css";
import type { Look, Shape } from "./look";

const SHAPES: Record<Shape, React.ReactNode> = {
  dotted: <circle cx="8" cy="8" r="5.5" className={classes["line"]} strokeDasharray="2.2 2.12" />,
  quarter: <Pie part={0.25} />,
  half: <Pie part={0.5} />,
  most: <Pie part={0.75} />,
  full: <circle cx="8" cy="8" r="6.25" className={classes["fill"]} />,
  square: <rect x="3.25" y="3.25" width="9.5" height="9.5" rx="1.5" className={classes["line"]} />,
  check: <path d="M3 8.5 6.5 12 13 4.5" className={classes["line"]} />,
  cross: <path d="M4 4l8 8M12 4l-8 8" className={classes["line"]} />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.75" className={classes["line"]} />
      <path d="M8 4.75V8l2.25 1.75" className={classes["line"]} />
    </>
  ),
};

export function StateMark({ look }: { look: Pick<Look, "shape" | "tone"> }) {
  return (
    <svg className={classes["mark"]} data-tone={look.tone} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {SHAPES[look.shape]}
    </svg>
  );
}

export function StateWord({ look }: { look: Look }) {
  return (
    <span className={classes["word"]} data-tone={look.tone}>
      {look.word}
    </span>
  );
}

/** A ring that is partly filled, clockwise from the top. */
function Pie({ part }: { part: number }) {
  const radius = 2.75;
  const length = 2 * Math.PI * radius;
  return (
    <>
      <circle cx="8" cy="8" r="5.75" className={classes["line"]} />
      <circle
        cx="8"
        cy="8"
        r={radius}
        className={classes["pie"]}
        strokeWidth={2 * radius}
        strokeDasharray={`${part * length} ${length}`}
        transform="rotate(-90 8 8)"
      />
    </>
  );
}
