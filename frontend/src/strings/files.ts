// Words of the picker of files.
export const files = {
  chooseFile: "Choose a file",
  label: "Entries",
  path: "Folder",
  go: "Go",
  up: "One folder up",
  take: (path: string) => `Take ${path}`,
  empty: "Nothing to choose here.",
  truncated: "Only the first entries are shown: write the path to go further.",
};
