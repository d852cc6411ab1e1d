// Where a session's software comes from: the site's environments, container images, and a catalogue to get more.
import { Tabs } from "@mantine/core";
import { useSearchParams } from "react-router-dom";

import { CatalogueTab } from "~/images/CatalogueTab";
import { ImagesTab } from "~/images/ImagesTab";
import { TABS, tabOf } from "~/images/tabs";
import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { EnvironmentList } from "./EnvironmentList";

const words = strings.environments;
const SHOWN = { environments: EnvironmentList, images: ImagesTab, catalogue: CatalogueTab };

export default function EnvironmentsPage() {
  const [query, setQuery] = useSearchParams();
  const tab = tabOf(query);
  const Shown = SHOWN[tab];
  return (
    <Page title={words.title} lead={words.lead}>
      <Tabs value={tab} onChange={(next) => setQuery(next === null || next === TABS[0] ? {} : { tab: next })} keepMounted={false}>
        <Tabs.List aria-label={strings.images.tabs.label} mb="md">
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {strings.images.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
