// One of my folders on the cluster: typed, or chosen with arrow keys and Enter, completed as in a shell.
import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { ArrowUpIcon, FileDirectoryIcon, HistoryIcon } from "@primer/octicons-react";
import { useDebouncedValue } from "@mantine/hooks";

import { fromThrown } from "~/api/errors";
import { useFiles } from "~/api/queries";
import type { FileEntry } from "~/api/types";
import { above, inside, trimmed, typedOf } from "~/lib/path";
import { strings } from "~/strings/en";
import classes from "./FolderField.module.css";
import { useRecentFolders } from "./ownFolders";

const words = strings.apps.folder;
const PAUSE_MS = 200;
const SHOWN = 100;

interface FolderFieldProps {
  label: string;
  description?: string | undefined;
  required?: boolean;
  error?: string | undefined;
  /** Lists the folders below the field, instead of over what follows it. */
  inline?: boolean;
  value: string;
  onChange: (folder: string) => void;
}

export function FolderField({ inline = false, ...field }: FolderFieldProps) {
  return inline ? <InlineFolders {...field} /> : <FoldersOnDemand {...field} />;
}

function FoldersOnDemand({ value, onChange, ...rest }: FolderFieldProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const open = () => combobox.openDropdown();
  const change = (folder: string) => {
    combobox.resetSelectedOption(); // the list now shows other folders
    onChange(folder);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={change} withinPortal={false} position="bottom-start" transitionProps={{ duration: 0 }}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...inputOf(rest)}
          value={value}
          onChange={(event) => {
            change(event.currentTarget.value);
            open();
          }}
          onFocus={open}
          onClick={open}
          onBlur={() => {
            combobox.closeDropdown();
            if (value !== trimmed(value)) onChange(trimmed(value));
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>{combobox.dropdownOpened && <Suggestions value={value} />}</Combobox.Dropdown>
    </Combobox>
  );
}

function InlineFolders({ value, onChange, ...rest }: FolderFieldProps) {
  const combobox = useCombobox({ opened: true });
  const change = (folder: string) => {
    combobox.resetSelectedOption();
    onChange(folder);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={change}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput {...inputOf(rest)} value={value} onChange={(event) => change(event.currentTarget.value)} />
      </Combobox.EventsTarget>
      <div className={classes["inline"]}>
        <Suggestions value={value} />
      </div>
    </Combobox>
  );
}

/** The input's props in both variants. */
function inputOf({ description, ...rest }: Omit<FolderFieldProps, "value" | "onChange" | "inline">) {
  return {
    ...rest,
    ...(description === undefined ? {} : { description }),
    className: classes["field"] ?? "",
    inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[],
    role: "combobox",
    placeholder: "~/",
    autoComplete: "off",
    spellCheck: false,
    leftSection: <FileDirectoryIcon />,
  };
}

function Suggestions({ value }: { value: string }) {
  const { folder, begun } = typedOf(value);
  const [settled] = useDebouncedValue(folder, PAUSE_MS);
  const { data, error, isPending } = useFiles(settled);
  const [used] = useRecentFolders();
  const recent = begun === "" && (value === "" || value === "~") ? used : [];
  const up = above(folder);
  return (
    <Combobox.Options className={classes["options"] ?? ""} aria-label={words.suggestions}>
      {recent.length > 0 && (
        <Combobox.Group label={words.recent}>
          {recent.map((folder) => (
            <Combobox.Option key={`recent ${folder}`} value={folder}>
              <HistoryIcon /> {folder}
            </Combobox.Option>
          ))}
        </Combobox.Group>
      )}
      {up !== null && (
        <Combobox.Option value={up === "/" ? up : `${up}/`}>
          <ArrowUpIcon /> {words.up}
        </Combobox.Option>
      )}
      {isPending || settled !== folder ? (
        <p className={classes["note"]} role="status">
          <Loader size={12} /> {words.loading}
        </p>
      ) : error !== null ? (
        <p className={classes["note"]} role="status">
          {fromThrown(error).message}
        </p>
      ) : data.kind !== "folder" ? (
        <p className={classes["note"]} role="status">
          {data.kind === "missing" ? words.missing : words.notFolder}
        </p>
      ) : (
        <Folders folder={folder} begun={begun} entries={data.entries} truncated={data.truncated} />
      )}
    </Combobox.Options>
  );
}

interface FoldersProps {
  folder: string;
  begun: string;
  entries: readonly FileEntry[];
  truncated: boolean;
}

function Folders({ folder, begun, entries, truncated }: FoldersProps) {
  const fitting = foldersIn(entries, begun);
  if (fitting.length === 0) return <p className={classes["note"]}>{begun === "" ? words.none : words.noMatch(begun)}</p>;
  return (
    <Combobox.Group label={words.inside(folder)}>
      {fitting.slice(0, SHOWN).map(({ name }) => (
        <Combobox.Option key={name} value={`${inside(folder, name)}/`}>
          <FileDirectoryIcon /> {name}
        </Combobox.Option>
      ))}
      {(truncated || fitting.length > SHOWN) && <p className={classes["note"]}>{words.truncated}</p>}
    </Combobox.Group>
  );
}

/** Hidden folders only once the user types a dot. */
export function foldersIn(entries: readonly FileEntry[], begun: string): FileEntry[] {
  const start = begun.toLowerCase();
  return entries
    .filter(({ kind, name }) => kind === "folder" && name.toLowerCase().startsWith(start))
    .filter(({ name }) => begun.startsWith(".") || !name.startsWith("."))
    .sort((a, b) => a.name.localeCompare(b.name));
}
