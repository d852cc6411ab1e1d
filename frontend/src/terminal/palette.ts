// The terminal's colours to match the others: the sixteen of ANSI, readable on both backgrounds.
import type { ITheme } from "@xterm/xterm";

const LIGHT: ITheme = {
  background: "#ffffff",
  foreground: "#14191d",
  cursor: "#00668a",
  cursorAccent: "#ffffff",
  selectionBackground: "#b9dfec",
  black: "#14191d",
  red: "#b8242c",
  green: "#1b7a3d",
  yellow: "#8a5a00",
  blue: "#0b5cad",
  magenta: "#8e3a9c",
  cyan: "#00668a",
  white: "#5f6a73",
  brightBlack: "#49545d",
  brightRed: "#c93a3a",
  brightGreen: "#23803f",
  brightYellow: "#8f6200",
  brightBlue: "#2a6fc0",
  brightMagenta: "#9d4cab",
  brightCyan: "#0a7596",
  brightWhite: "#14191d",
};

const DARK: ITheme = {
  background: "#0f1214",
  foreground: "#e7ebee",
  cursor: "#4dbfe2",
  cursorAccent: "#0f1214",
  selectionBackground: "#1d4a5c",
  black: "#293036",
  red: "#f57f78",
  green: "#4fc274",
  yellow: "#dfa83d",
  blue: "#6cb0f5",
  magenta: "#d48fe0",
  cyan: "#4dbfe2",
  white: "#c9d0d5",
  brightBlack: "#8d98a1",
  brightRed: "#ff9a94",
  brightGreen: "#72d892",
  brightYellow: "#f0c266",
  brightBlue: "#93c6fa",
  brightMagenta: "#e3abec",
  brightCyan: "#7fd5ef",
  brightWhite: "#ffffff",
};

export function palette(dark: boolean): ITheme {
  return dark ? DARK : LIGHT;
}
