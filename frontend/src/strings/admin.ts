// What the administrators' pages say, and what everybody sees of it: announcements.
const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export const announcementWords = {
  maintenance: (partitions: string[], when: string) =>
    `Maintenance${partitions.length === 0 ? "" : ` on ${partitions.join(", ")}`}, ${when}.`,
  underWay: (partitions: string[], until: string) =>
    `Maintenance${partitions.length === 0 ? "" : ` on ${partitions.join(", ")}`} until ${until}.`,
  between: (from: string, until: string) => `${from} – ${until}`,
  about: (partitions: string[]) => `${partitions.join(", ")}:`,
};

export const adminStrings = {
  title: "Admin",
  nav: "Administration",
  forbidden: "These pages are for administrators. Who is one, the directory says.",
  pages: {
    announcements: "Announcements",
    audit: "Audit",
  },

  announcements: {
    title: "Announcements",
    lead: "What everybody is told, in the app and on the login page, and when partitions close for maintenance.",
    make: "New announcement",
    makeTitle: "New announcement",
    changeTitle: "Change announcement",
    kind: "Kind",
    notice: "Notice",
    maintenance: "Maintenance",
    text: "Text",
    textHint: "One or two sentences: what, and what people should do.",
    partitions: "Partitions",
    partitionsHint: "None chosen: all of them.",
    all: "all partitions",
    shownFrom: "Shown from",
    shownFromHint: "Empty: at once.",
    noticeUntil: "Shown until",
    noticeUntilHint: "Empty: until you end it.",
    starts: "Begins",
    startsHint: "Sessions that would run past this are refused, with this text, from now on.",
    ends: "Ends",
    onLogin: "Show it on the login page, too",
    preview: "Preview",
    previewEmpty: "What you write appears here as everybody will see it.",
    affected: (count: number) =>
      count === 0 ? "No session that is there now would run into it." : `${plural(count, "session")} would run into it and ${count === 1 ? "ends" : "end"} only if you stop ${count === 1 ? "it" : "them"}:`,
    affectedOne: (owner: string, name: string, partition: string) => `${owner}: ${name} on ${partition}`,
    announce: "Announce",
    save: "Save",
    cancel: "Cancel",
    change: "Change",
    end: "End",
    changeOf: (text: string) => `Change: ${text}`,
    endOf: (text: string) => `End: ${text}`,
    endTitle: "End this announcement?",
    endText: "It disappears from every page now, and partitions that it closes are open again. It stays in this list as past.",
    endConfirm: "End it",
    keep: "Keep it",
    empty: "Nothing has been announced yet.",
    current: "Now and planned",
    past: "Past",
    none: "Nothing is announced or planned.",
    states: { planned: "Planned", shown: "Shown", under_way: "Under way", over: "Over" },
    login: "on the login page, too",
    by: (name: string) => `by ${name}`,
    window: (from: string, until: string) => `${from} – ${until}`,
    until: (until: string) => `until ${until}`,
    from: (from: string) => `from ${from}`,
    untilEnded: "until ended",
    failed: "It was not announced",
    endFailed: "It was not ended",
  },
};
