// Environment modules on top of the environment: searched by name, chosen by version, loaded in order.
import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { SearchIcon, XIcon } from "@primer/octicons-react";
import { useState } from "react";

import { useModules } from "~/api/queries";
import type { Module } from "~/api/types";
import { strings } from "~/strings/en";
import classes from "./ModulesField.module.css";
import { ProblemLine } from "./Section";

const words = strings.apps.modulePicker;
const SHOWN = 60;

interface ModulesFieldProps {
  chosen: readonly string[];
  problem: string | undefined;
  onChange: (chosen: string[]) => void;
}

export function ModulesField({ chosen, problem, onChange }: ModulesFieldProps) {
  const [search, setSearch] = useState("");
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const add = (name: string) => {
    if (!chosen.includes(name)) onChange([...chosen, name]);
    setSearch("");
  };
  return (
    <div className={classes["field"]}>
      <Combobox store={combobox} onOptionSubmit={add} withinPortal={false} position="bottom-start" transitionProps={{ duration: 0 }}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            label={words.label}
            description={words.hint}
            inputWrapperOrder={["label", "input", "description"]}
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- from Combobox.Target
            role="combobox"
            placeholder={words.search}
            autoComplete="off"
            leftSection={<SearchIcon />}
            error={problem !== undefined}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.openDropdown();
              combobox.selectFirstOption();
            }}
            onFocus={() => combobox.openDropdown()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>{combobox.dropdownOpened && <Found search={search} chosen={chosen} />}</Combobox.Dropdown>
      </Combobox>
      {chosen.length > 0 && (
        <ul className={classes["chosen"]}>
          {chosen.map((name) => (
            <li key={name} className={classes["chip"]}>
              {name}
              <button
                type="button"
                aria-label={words.remove(name)}
                onClick={() => onChange(chosen.filter((module) => module !== name))}
              >
                <XIcon size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ProblemLine text={problem} />
    </div>
  );
}

function Found({ search, chosen }: { search: string; chosen: readonly string[] }) {
  const { data, error } = useModules();
  if (data === undefined) return <p className={classes["note"]}>{error === null ? words.loading : words.failed}</p>;
  const versions = versionsFor(data.items, search).filter(({ full }) => !chosen.includes(full));
  if (versions.length === 0) {
    return <p className={classes["note"]}>{data.items.length === 0 ? words.none : words.noMatch(search)}</p>;
  }
  return (
    <Combobox.Options className={classes["options"] ?? ""} aria-label={words.label}>
      {versions.slice(0, SHOWN).map(({ full, isDefault, description }) => (
        <Combobox.Option key={full} value={full}>
          <span className={classes["name"]}>
            {full} {isDefault && <span className={classes["default"]}>{words.isDefault}</span>}
          </span>
          <span className={classes["text"]}>{description}</span>
        </Combobox.Option>
      ))}
      {versions.length > SHOWN && <p className={classes["note"]}>{words.more(versions.length - SHOWN)}</p>}
    </Combobox.Options>
  );
}

export interface ModuleVersion {
  full: string;
  isDefault: boolean;
  description: string;
}

/** Every version of the modules whose name or description contains all the words; a module's default comes first. */
export function versionsFor(modules: readonly Module[], search: string): ModuleVersion[] {
  const wanted = search.toLowerCase().split(/\s+/);
  return modules.flatMap(({ name, versions, default: usual, description }) => {
    const all = versions.length === 0 ? [name] : versions.map((version) => `${name}/${version}`);
    const first = usual ? `${name}/${usual}` : null;
    return all
      .map((full) => ({ full, isDefault: full === first && all.length > 1, description }))
      .filter(({ full }) => wanted.every((word) => `${full} ${description}`.toLowerCase().includes(word)))
      .sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  });
}
