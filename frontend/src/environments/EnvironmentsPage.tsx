// Where a session's software comes from: the site's environments, container images, and a catalogue to pull more.
import { useSearchParams } from "react-router-dom";

import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { PartLinks } from "~/ui/PartLinks";
import { CatalogueTab } from "./CatalogueTab";
import { EnvironmentList } from "./EnvironmentList";
import { ImagesTab } from "./ImagesTab";
import { TABS, addressOf, tabOf } from "./tabs";

const words = strings.environments;
const SHOWN = { environments: EnvironmentList, images: ImagesTab, catalogue: CatalogueTab };

export default function EnvironmentsPage() {
  const [query] = useSearchParams();
  const tab = tabOf(query);
  const Shown = SHOWN[tab];
  const parts = TABS.map((choice) => ({ to: addressOf(choice), title: strings.images.tabs[choice], here: choice === tab }));
  return (
    <Page title={words.title} lead={words.lead}>
      <PartLinks label={strings.images.tabs.label} parts={parts} />
      <Shown />
    </Page>
  );
}
