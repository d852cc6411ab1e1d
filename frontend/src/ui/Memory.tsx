import { gb, mib } from "~/lib/size";

/** Memory in GB, with the MiB on hover. */
export function Memory({ mib: value }: { mib: number }) {
  return <span style={{ whiteSpace: "nowrap" }} title={mib(value)}>{gb(value)}</span>;
}
