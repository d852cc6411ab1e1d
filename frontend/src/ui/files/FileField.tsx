// One of my files on the cluster: typed, or chosen by browsing.
import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { FileDirectoryIcon, FileIcon } from "@primer/octicons-react";
import { useState } from "react";

import { typedOf } from "~/lib/path";
import { strings } from "~/strings/en";
import { FilePicker } from "./FilePicker";

interface FileFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  onChange: (path: string) => void;
}

export function FileField({ value, onChange, ...field }: FileFieldProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <TextInput
        placeholder="~/"
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={["label", "input", "description", "error"]}
        leftSection={<FileIcon />}
        {...field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          <ActionIcon variant="subtle" aria-label={strings.files.chooseFile} title={strings.files.chooseFile} onClick={() => setChoosing(true)}>
            <FileDirectoryIcon />
          </ActionIcon>
        }
      />
      {choosing && (
        <FilePicker
          start={typedOf(value).folder}
          onChoose={(path) => {
            setChoosing(false);
            onChange(path);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
