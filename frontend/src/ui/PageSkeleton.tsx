import { Skeleton } from "@mantine/core";

import page from "./Page.module.css";

/** Shown while a page's script loads. */
export function PageSkeleton() {
  return (
    <div className={page["page"]} aria-busy="true">
      <Skeleton height={28} width={200} mb="lg" />
      <Skeleton height={96} mb="sm" />
      <Skeleton height={96} />
    </div>
  );
}
