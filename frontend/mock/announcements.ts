// Invented announcements.
import type { AnnouncementRow } from "../src/admin/announcements/queries";
import { ago, ahead } from "./units";

export const announcement = (change: Partial<AnnouncementRow> = {}): AnnouncementRow => ({
  id: 1,
  kind: "notice",
  text: "Home quotas grow to 200 GB on Monday.",
  partitions: [],
  on_login: true,
  shown_from: ago(3600),
  starts_at: null,
  ends_at: null,
  created_by: "admin",
  created_at: ago(3600),
  withdrawn_at: null,
  state: "shown",
  ...change,
});

export const announcements = (): AnnouncementRow[] => [
  announcement({
    id: 2,
    kind: "maintenance",
    text: "Maintenance of the cooling. Sessions that would run into it are refused.",
    partitions: ["sxm2"],
    starts_at: ahead(2 * 86_400),
    ends_at: ahead(2 * 86_400 + 4 * 3600),
  }),
  announcement(),
  announcement({ id: 0, text: "The shared disk is slow.", state: "over", withdrawn_at: ago(86_400) }),
];
