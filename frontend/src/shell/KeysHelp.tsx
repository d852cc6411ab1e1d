import { Kbd } from "@mantine/core";

import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import classes from "./KeysHelp.module.css";

export default function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={strings.keys.title} closeLabel={strings.dialog.close}>
      <dl className={classes["list"]}>
        {strings.keys.list.map(({ keys, does }) => (
          <div key={does} className={classes["row"]}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
