// The cluster's totals over time.
import { Button, Skeleton } from "@mantine/core";
import { ChevronDownIcon, ChevronRightIcon } from "@primer/octicons-react";
import { useState } from "react";

import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { Switcher } from "~/ui/Switcher";
import { ChartFigure } from "~/ui/chart/ChartFigure";
import classes from "./HistoryPanel.module.css";
import { useClusterHistory, type Span } from "./api";
import { seriesOf, summaryOf, type What } from "./history";

const words = strings.cluster.history;
/** On a phone the nodes come first. */
const NARROW_PX = 640;
const HEIGHT_PX = 148;
const OPEN = "dsp.cluster.history";
const SPANS = (Object.keys(words.spans) as Span[]).map((value) => ({ value, title: words.spans[value] }));
const WHATS = (Object.keys(words.whats) as What[]).map((value) => ({ value, title: words.whats[value] }));

export function HistoryPanel() {
  const [open, setOpen] = useState(() => (localStorage.getItem(OPEN) ?? (window.innerWidth > NARROW_PX ? "yes" : "no")) === "yes");
  const [span, setSpan] = useState<Span>("day");
  const [what, setWhat] = useState<What>("gpus");
  const toggle = () => {
    localStorage.setItem(OPEN, open ? "no" : "yes");
    setOpen(!open);
  };
  return (
    <section className={`card ${classes["panel"]}`} aria-label={words.title}>
      <div className={classes["head"]}>
        <Button variant="subtle" color="gray" aria-expanded={open} onClick={toggle} leftSection={open ? <ChevronDownIcon /> : <ChevronRightIcon />} className={classes["toggle"] ?? ""}>
          {words.title}
        </Button>
        {open && (
          <div className={classes["choices"]}>
            <Switcher label={words.what} choices={WHATS} chosen={what} onChoose={setWhat} />
            <Switcher label={words.span} choices={SPANS} chosen={span} onChoose={setSpan} />
          </div>
        )}
      </div>
      {open && <Lines span={span} what={what} />}
    </section>
  );
}

function Lines({ span, what }: { span: Span; what: What }) {
  const { data, error, refetch } = useClusterHistory(span);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={HEIGHT_PX} />;
  }
  if (data.items.length === 0) return <p className={`quiet ${classes["empty"]}`}>{words.empty}</p>;
  const series = seriesOf(data, what);
  return <ChartFigure series={series} height={HEIGHT_PX} summary={summaryOf(series, what)} />;
}
