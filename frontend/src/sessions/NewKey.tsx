// A key that has just been made, which is not shown again, and the address for programs.
import { TextInput } from "@mantine/core";

import type { Share } from "~/api/types";
import { strings } from "~/strings/en";
import { CopyLink } from "~/ui/CopyLink";
import classes from "./NewKey.module.css";

const words = strings.sharing;

export function NewKey({ share }: { share: Share }) {
  return (
    <>
      <Copied label={words.key} help={words.newKey} value={share.key} copy={words.copyKey} />
      <Copied label={words.address} help={words.addressHelp} value={share.link} copy={words.copyAddress} />
    </>
  );
}

interface CopiedProps {
  label: string;
  help: string;
  value: string;
  copy: string;
}

function Copied({ label, help, value, copy }: CopiedProps) {
  return (
    <div className={classes["row"]}>
      <TextInput
        className={classes["field"] ?? ""}
        label={label}
        description={help}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyLink key={value} link={value} text={copy} copied={words.copied} />
    </div>
  );
}
