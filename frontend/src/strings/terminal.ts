// Words of the terminal's page.
export const terminal = {
  title: "Terminal",
  connecting: "Connecting …",
  open: "",
  lost: "The connection is lost; trying again. What runs in the shell goes on.",
  over: "The shell has ended. Press Enter for a new one.",
};
