import { Skeleton } from "@mantine/core";

import { strings } from "~/strings/en";
import card from "./SessionCard.module.css";
import list from "./SessionsPage.module.css";

/** Placeholders for two session cards. */
export function CardSkeletons() {
  return (
    <div className={list["list"]} role="status" aria-label={strings.sessions.loading}>
      {[0, 1].map((index) => (
        <div key={index} className={`card ${card["card"]}`}>
          <div className={card["what"]}>
            <Skeleton circle height={16} mt={2} />
            <div>
              <Skeleton height={14} width={160} my={3} />
              <Skeleton height={12} width={220} my={4} />
            </div>
          </div>
          <div>
            <Skeleton height={14} width={180} my={3} />
            <Skeleton height={12} width={120} my={4} />
          </div>
          <div>
            <Skeleton height={14} width={90} my={3} />
            <Skeleton height={12} width={70} my={4} />
          </div>
          <div className={card["actions"]}>
            <Skeleton height={32} width={128} />
          </div>
        </div>
      ))}
    </div>
  );
}
