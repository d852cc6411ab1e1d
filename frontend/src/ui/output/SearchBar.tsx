import { ActionIcon, TextInput } from "@mantine/core";
import { ChevronDownIcon, ChevronUpIcon, SearchIcon } from "@primer/octicons-react";

import { strings } from "~/strings/en";
import classes from "./OutputPanel.module.css";
import type { Search } from "./useSearch";

const words = strings.output;

/** A search field with match count and steps; Enter goes forward, Shift+Enter back. */
export function SearchBar({ search, onStep }: { search: Search; onStep: () => void }) {
  const step = (by: number) => {
    onStep();
    search.step(by);
  };
  return (
    <>
      <TextInput
        className={classes["search"] ?? ""}
        type="search"
        size="xs"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<SearchIcon />}
        value={search.typed}
        onChange={(event) => search.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
        }}
      />
      {search.text !== "" && (
        <>
          <span className={classes["count"]} role="status">
            {search.count === 0 ? words.foundNone : words.found(search.index, search.count, search.more)}
          </span>
          <ActionIcon size={28} disabled={search.count === 0} aria-label={words.previous} title={words.previous} onClick={() => step(-1)}>
            <ChevronUpIcon />
          </ActionIcon>
          <ActionIcon size={28} disabled={search.count === 0} aria-label={words.next} title={words.next} onClick={() => step(1)}>
            <ChevronDownIcon />
          </ActionIcon>
        </>
      )}
    </>
  );
}
