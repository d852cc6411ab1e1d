// What a user used, and how much of it was unused, with advice.
import { hours } from "~/lib/numbers";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { OutsideButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { RangeControls } from "./RangeControls";
import controls from "./RangeControls.module.css";
import { ReportView } from "./ReportView";
import { Wasteful } from "./Wasteful";
import panel from "./Wasteful.module.css";
import { useMyUsage, type MyBy, type MyUsage } from "./queries";
import { useRange } from "./useRange";

const words = strings.usage;
const BYS: readonly MyBy[] = ["month", "account", "partition", "gpu_type"];

export default function UsagePage() {
  const { range, by, sort, change, query } = useRange(BYS, "month");
  const { data, error, refetch } = useMyUsage(by, range);
  return (
    <Page
      title={words.title}
      lead={words.lead}
    >
      <div className={controls["controls"]}>
        <RangeControls range={range} by={by} choices={BYS} onChange={change} />
        <OutsideButton variant="default" href={outside.usageCsv(query)} sameTab>
          {words.csv}
        </OutsideButton>
      </div>
      <ReportView report={data} error={error} onRetry={() => void refetch()} sort={sort} onSort={(next) => change({ sort: next })}>
        {data !== undefined && <Advice mine={data} />}
        {data !== undefined && <Wasteful jobs={data.wasteful} />}
      </ReportView>
    </Page>
  );
}

function Advice({ mine }: { mine: MyUsage }) {
  const { advice, allowance, total } = mine;
  const measured = total.gpu_hours_used + total.gpu_hours_unused > 0;
  if (advice.length === 0 && !measured && allowance.max_gpu_hours === null) return null;
  return (
    <section className={`card ${panel["panel"]}`} aria-labelledby="advice-title">
      <h2 className="section-title" id="advice-title">
        {words.advice}
      </h2>
      {advice.map(({ text, hint }) => (
        <p key={text}>
          {text} <span className="quiet">{hint}</span>
        </p>
      ))}
      {advice.length === 0 && measured && <p>{words.allGood}</p>}
      {allowance.max_gpu_hours !== null && <p>{words.allowance(hours(allowance.gpu_hours_used), hours(allowance.gpu_hours_promised), hours(allowance.max_gpu_hours))}</p>}
    </section>
  );
}
