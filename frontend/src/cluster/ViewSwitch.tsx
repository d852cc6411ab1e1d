import { strings } from "~/strings/en";
import { Switcher } from "~/ui/Switcher";
import type { Change, View } from "./address";

const words = strings.cluster.views;
const CHOICES: readonly { value: View; title: string }[] = [
  { value: "tiles", title: words.tiles },
  { value: "table", title: words.table },
  { value: "queue", title: words.queue },
];

export function ViewSwitch({ view, change }: { view: View; change: Change }) {
  return <Switcher label={words.label} choices={CHOICES} chosen={view} onChoose={(next) => change({ view: next, q: "", page: 1 })} />;
}
