// Words of the picker of files.
export const files = {
  chooseFile: "Choose a file",
  label: "Files and folders",
  path: "Folder",
  go: "Go",
  up: "Up one folder",
  take: (path: string) => `Choose ${path}`,
  empty: "Nothing to choose here.",
  truncated: "Only the first entries are shown; type a path to go further.",
};
