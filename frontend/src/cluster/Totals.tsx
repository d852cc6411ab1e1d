// GPUs, cores and memory of the nodes shown, each as a bar: used by others, used by me, reserved, out of service, free.
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import classes from "./Totals.module.css";
import type { Sums, Totals as TotalsOf } from "./snapshot";

const words = strings.cluster.totals;
const count = (value: number) => new Intl.NumberFormat(strings.locale).format(value);

export function Totals({ totals, title }: { totals: TotalsOf; title: string }) {
  return (
    <section className={classes["totals"]} aria-label={title}>
      <Bar name={words.gpus} sums={totals.gpus} say={count} />
      <Bar name={words.cpus} sums={totals.cpus} say={count} />
      <Bar name={words.memory} sums={totals.memory} say={gb} />
    </section>
  );
}

function Bar({ name, sums, say }: { name: string; sums: Sums; say: (value: number) => string }) {
  const { total, used, mine, reserved, down } = sums;
  if (total === 0) return null;
  const free = Math.max(0, total - used - reserved - down);
  const parts = [
    { kind: "busy", value: used - mine, text: words.used(say(used)) },
    { kind: "mine", value: mine, text: words.mine(say(mine)) },
    { kind: "reserved", value: reserved, text: words.reserved(say(reserved)) },
    { kind: "down", value: down, text: words.down(say(down)) },
  ];
  return (
    <div className={`card ${classes["bar"]}`}>
      <p className={classes["head"]}>
        <span>{name}</span>
        <strong>{words.free(say(free), say(total))}</strong>
      </p>
      <div className={classes["track"]} aria-hidden="true">
        {parts.map(({ kind, value }) => (
          <i key={kind} data-kind={kind} style={{ width: `${(value / total) * 100}%` }} />
        ))}
      </div>
      <p className={classes["legend"]}>
        {parts
          .filter(({ value, kind }) => value > 0 || kind === "busy")
          .map(({ kind, text }) => (
            <span key={kind}>
              <i data-kind={kind} aria-hidden="true" />
              {text}
            </span>
          ))}
      </p>
    </div>
  );
}
