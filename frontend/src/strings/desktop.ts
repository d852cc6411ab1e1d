// Words of the desktop's page.
export const desktop = {
  title: "Desktop",
  toolbar: "Desktop",
  connecting: "Connecting…",
  lost: "Connection lost; reconnecting. The programs keep running.",
  clipboard: "Clipboard",
  clipboardLabel: "Clipboard of the desktop",
  clipboardHelp: "Text that you copy in the desktop appears here. Text that you type or paste here can be pasted there.",
  keyboard: "Keyboard",
  keyboardLabel: "Type into the desktop",
  fullScreen: "Full screen",
  looking: "View only",
  leave: "Ctrl+Alt+Home leads from the desktop to these buttons.",
};
