// What is said about apps, their options, folders and modules.
const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export const apps = {
  unavailable: "Not available here",
  otherGroup: "Other",
  usually: (app: string) => `What ${app} usually needs.`,
  optional: "optional",
  yes: "Yes",
  environments: { path: "Environments", modules: "Environment modules", image: "Container images", own: "Your images" },
  image: "Image",
  imageFile: "Image file",
  digest: "Digest",
  modules: "Modules",
  options: "Options",
  restart: "Start again",
  edit: "Edit and start",
  more: (name: string) => `More for ${name}`,
  restartFailed: "It was not started",

  folder: {
    suggestions: "Folders",
    recent: "Recent",
    inside: (folder: string) => `Folders in ${folder}`,
    up: "One folder up",
    loading: "Reading the folder …",
    none: "No folders in it.",
    noMatch: (text: string) => `No folder beginning with “${text}”.`,
    missing: "There is no such folder yet.",
    notFolder: "This is not a folder.",
    truncated: "There are more: type a few letters.",
  },

  modulePicker: {
    label: "Environment modules",
    hint: "Loaded on top of the environment, in this order.",
    search: "Search modules",
    loading: "Reading the list of modules …",
    none: "This site has no environment modules.",
    noMatch: (text: string) => `No module matches “${text}”.`,
    failed: "The list of modules could not be read.",
    remove: (name: string) => `Remove ${name}`,
    isDefault: "default",
    more: (count: number) => `${plural(count, "more")}: type a few letters.`,
  },

  tensorboard: {
    action: "TensorBoard",
    title: "Open TensorBoard",
    text: (session: string) => `On a folder with event files, inside ${session}: nothing is queued, no GPU is used.`,
    folder: "Folder with event files",
    here: "Open in this session",
    apart: "As a session of its own",
    apartHint: "Runs on when this session ends.",
    onJob: (folder: string) => `Charts of what this job writes below ${folder}.`,
  },
};
