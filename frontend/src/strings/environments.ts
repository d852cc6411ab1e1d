// Words of environments.
export const environments = {
  title: "Environments",
  lead: "Where a session's software comes from.",
  states: { absent: "Not installed", installing: "Installing", installed: "Installed", failed: "Installation failed" },
  install: "Install",
  again: "Try again",
  installOf: (title: string) => `Install ${title}`,
  adminOnly: "Administrators can install it.",
  notInstallable: "Provided by the site; it cannot be installed from here.",
  use: "Use in a new session",
  size: (size: string) => `about ${size} to install`,
  sizeInstalled: (size: string) => size,
  empty: "This site has no environments.",
  version: (version: string) => version,
};
