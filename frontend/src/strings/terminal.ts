// Words of the terminal's page.
export const terminal = {
  title: "Terminal",
  connecting: "Connecting…",
  open: "",
  lost: "Connection lost; reconnecting. The shell keeps running.",
  over: "The shell has ended. Press Enter for a new one.",
};
