// Everybody's use, for administrators: grouped as chosen, for all or for one user.
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";

import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { OutsideButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { RangeControls } from "./RangeControls";
import controls from "./RangeControls.module.css";
import { ReportView } from "./ReportView";
import { Wasteful } from "./Wasteful";
import { useUsage, type By } from "./queries";
import { useRange } from "./useRange";

const words = strings.usage;
const BYS = Object.keys(words.bys) as By[];
const TYPING_PAUSE_MS = 300;

export default function AdminUsagePage() {
  const { range, by, user, sort, change, query } = useRange(BYS, "user", "-unused");
  const [settled] = useDebouncedValue(user, TYPING_PAUSE_MS);
  const { data, error, refetch } = useUsage(by, range, settled);
  return (
    <Page
      title={words.adminTitle}
      lead={words.adminLead}
    >
      <div className={controls["controls"]}>
        <RangeControls range={range} by={by} choices={BYS} onChange={change} />
        <TextInput
          data-filter
          aria-label={words.onlyUser}
          placeholder={words.onlyUser}
          value={user}
          onChange={(event) => change({ user: event.currentTarget.value })}
        />
        <OutsideButton variant="default" href={outside.adminUsageCsv(query)} sameTab>
          {words.csv}
        </OutsideButton>
      </div>
      <ReportView report={data} error={error} onRetry={() => void refetch()} sort={sort} onSort={(next) => change({ sort: next })}>
        {data !== undefined && <Wasteful jobs={data.wasteful} />}
      </ReportView>
    </Page>
  );
}
