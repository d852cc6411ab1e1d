import { Kbd, Modal } from "@mantine/core";

import { strings } from "~/strings/en";
import classes from "./KeysHelp.module.css";

export default function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={strings.keys.title} closeButtonProps={{ "aria-label": strings.keys.close }}>
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
    </Modal>
  );
}
