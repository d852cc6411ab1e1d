import { useEffect, useState, useSyncExternalStore } from "react";

import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { OutputReader, type OutputSource } from "./reader";

/** A reader of this file, started and closed with the component. Rerenders as it reads. */
export function useOutput(source: OutputSource): OutputReader {
  const [reader, setReader] = useState(() => readerOf(source));
  const [key, setKey] = useState(source.key);
  if (key !== source.key) {
    setKey(source.key);
    setReader(readerOf(source));
  }
  useEffect(() => {
    void reader.start();
    return () => reader.close();
  }, [reader]);
  useSyncExternalStore(reader.subscribe, () => reader.version);
  return reader;
}

function readerOf(source: OutputSource): OutputReader {
  return new OutputReader(source, (count) => strings.output.gap(bytes(count)));
}
