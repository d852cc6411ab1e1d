import { useId, type ReactNode } from "react";

import classes from "./Section.module.css";

/** A titled part of the form. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`card ${classes["section"]}`} aria-labelledby={id}>
      <h2 className={classes["title"]} id={id}>
        {title}
      </h2>
      <div className={classes["body"]}>{children}</div>
    </section>
  );
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  children: ReactNode;
}

/** A group of controls under one name, with its hint and its problem. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  return (
    <fieldset className={classes["field"]} aria-describedby={id} {...marked(problem)}>
      <legend className={classes["label"]}>{label}</legend>
      {children}
      <div id={id}>
        {hint !== undefined && <p className={classes["hint"]}>{hint}</p>}
        <ProblemLine text={problem} />
      </div>
    </fieldset>
  );
}

/** Marks a field's frame, so that the first problem can be found and focused. */
export function marked(problem: string | undefined): { "data-problem"?: "" } {
  return problem === undefined ? {} : { "data-problem": "" };
}

/** What is wrong with a field; a live region, announced when it fills. */
export function ProblemLine({ text }: { text: string | undefined }) {
  return (
    <div aria-live="polite">{text !== undefined && <p className={classes["problem"]}>{text}</p>}</div>
  );
}
