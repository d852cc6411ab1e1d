// The page of the terminal app: one shell, full page. It stands alone, under a session's own URL, and shares only its
// colours with the portal.
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import xtermStyle from "@xterm/xterm/css/xterm.css?inline";

import { terminal as words } from "~/strings/terminal";
import tokens from "~/theme/tokens.css?inline";
import { connect } from "./connection";
import style from "./page.css?inline";
import { palette } from "./palette";

const system = window.matchMedia("(prefers-color-scheme: dark)");

/** The theme chosen in the web app applies here, too; without a choice the system decides. */
function isDark(): boolean {
  const chosen = window.localStorage.getItem("dsp.theme");
  return chosen === "light" || chosen === "dark" ? chosen === "dark" : system.matches;
}

function start(): void {
  document.documentElement.dataset["mantineColorScheme"] = isDark() ? "dark" : "light";
  const sheet = document.createElement("style");
  sheet.textContent = tokens + xtermStyle + style;
  document.head.append(sheet);
  const screen = document.createElement("main");
  screen.setAttribute("aria-label", words.title);
  const notice = document.createElement("p");
  notice.setAttribute("role", "status");
  document.body.append(screen, notice);

  const shown = new Terminal({
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--dsp-mono"),
    fontSize: 14,
    lineHeight: 1.2,
    scrollback: 10_000,
    cursorBlink: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    minimumContrastRatio: 4.5,
    theme: palette(isDark()),
  });
  const fit = new FitAddon();
  shown.loadAddon(fit);
  shown.loadAddon(new WebLinksAddon());
  shown.open(screen);
  system.addEventListener("change", () => {
    shown.options.theme = palette(isDark());
  });

  const node = document.body.dataset["node"] ?? "";
  shown.onTitleChange((title) => {
    document.title = title ? `${title} · ${node}` : `${words.title} · ${node}`;
  });
  const shell = connect(shellAddress(), {
    output: (data) => shown.write(data),
    fresh: () => shown.reset(),
    state: (state) => {
      notice.textContent = words[state];
      notice.hidden = state === "open";
    },
  });
  shown.onData((data) => (shell.isOver() ? data === "\r" && shell.again() : shell.type(data)));
  shown.onBinary((data) => shell.typeBytes(Uint8Array.from(data, (character) => character.charCodeAt(0))));
  shown.onResize(({ cols, rows }) => shell.resize(cols, rows));
  new ResizeObserver(() => fit.fit()).observe(screen);
  fit.fit();
  shell.resize(shown.cols, shown.rows);
  shown.focus();
}

/** `#name` in the URL is a shell of that name, so that one session can show several. */
function shellAddress(): string {
  const name = /^#([a-z0-9-]{1,32})$/.exec(window.location.hash)?.[1] ?? "1";
  const address = new URL(`shells/${name}`, window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  return address.href;
}

start();
