// Fetches the folder in the URL while the page's own code loads.
import { usePrefetchInfiniteQuery } from "@tanstack/react-query";
import { lazy, useState } from "react";

import { fileReads } from "~/api/files";
import { useAddress } from "~/ui/useAddress";
import { ADDRESS, viewOf } from "./folder";

const FilesPage = lazy(() => import("./FilesPage"));

export function FilesRoute() {
  const [address] = useAddress(ADDRESS);
  const [first] = useState(() => viewOf(address, address.q));
  usePrefetchInfiniteQuery(fileReads.folder(first));
  return <FilesPage />;
}
