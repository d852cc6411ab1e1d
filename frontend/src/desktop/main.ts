// The page of the desktop app: the desktop, and a row of buttons beside the session's line. It stands alone, under a
// session's own URL, and shares only its colours with the portal.
import { desktop as words } from "~/strings/desktop";
// The query makes it a module of its own: the terminal's page has the same file, and each page is one script.
import tokens from "~/theme/tokens.css?inline&desktop";
import { read, write } from "./clipboard";
import { Connection } from "./connection";
import { BACKSPACE, RETURN, keysyms } from "./keysyms";
import style from "./page.css?inline";

/** Narrower pages, such as a phone's, show the whole desktop made smaller instead of a smaller desktop. */
const SMALLEST_DESKTOP = "(min-width: 600px)";

function start(): void {
  const chosen = window.localStorage.getItem("dsp.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["mantineColorScheme"] = chosen;
  const sheet = document.createElement("style");
  sheet.textContent = tokens + style;
  document.head.append(sheet);

  // A guest with whom the owner shares the desktop to look; what such a page sends is dropped in the session anyway.
  const looks = document.body.dataset["onlooker"] !== undefined;
  const bar = element("div", { role: "toolbar", "aria-label": words.toolbar });
  const session = document.getElementById("portal-session");
  const top = element("header", {});
  session?.replaceWith(top);
  top.append(...(session ? [session] : []), bar);
  const notice = element("p", { role: "status" });
  const panel = element("section", { "aria-label": words.clipboard, hidden: "" });
  const screen = element("main", { "aria-label": words.title });
  document.body.append(...(looks ? [] : [panel]), notice, screen);

  const text = element("textarea", { "aria-label": words.clipboardLabel, rows: "4", spellcheck: "false" });
  const help = element("small", {});
  help.textContent = words.clipboardHelp;
  panel.append(text, help);

  const address = new URL("rfb", window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const connection = new Connection(
    address.href,
    screen,
    (state) => {
      notice.textContent = state === "open" ? "" : words[state];
      notice.hidden = state === "open";
    },
    (copied) => {
      text.value = copied;
      void write(copied);
    },
    looks,
  );

  const full = button(words.fullScreen, () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen();
    connection.focus();
  });
  full.hidden = !document.fullscreenEnabled;
  if (looks) {
    const note = element("span", {});
    note.textContent = words.looking;
    bar.append(note, full);
    return;
  }

  const wide = window.matchMedia(SMALLEST_DESKTOP);
  connection.resize(wide.matches);
  wide.addEventListener("change", () => connection.resize(wide.matches));

  const paste = (pasted: string | undefined) => {
    if (pasted === undefined || pasted === text.value) return;
    text.value = pasted;
    connection.paste(pasted);
  };
  text.addEventListener("input", () => connection.paste(text.value));
  window.addEventListener("focus", () => void read({ ask: false }).then(paste));

  const clipboard = button(words.clipboard, () => {
    panel.hidden = !panel.hidden;
    clipboard.setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.hidden) connection.focus();
    else {
      text.focus();
      void read({ ask: true }).then(paste);
    }
  });
  clipboard.setAttribute("aria-expanded", "false");
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clipboard.click();
  });
  bar.append(clipboard, full);
  bar.title = words.leave;
  if (window.matchMedia("(any-pointer: coarse)").matches) {
    const typing = onScreenKeyboard(connection);
    document.body.append(typing);
    bar.prepend(button(words.keyboard, () => typing.focus()));
  }
  // The desktop takes every other key, Tab included.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey && event.altKey && event.key === "Home") {
        event.stopPropagation();
        clipboard.focus();
      }
    },
    { capture: true },
  );
}

/** A field that nobody sees, into which an on-screen keyboard types. */
function onScreenKeyboard(connection: Connection): HTMLTextAreaElement {
  const field = element("textarea", {
    "aria-label": words.keyboardLabel,
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    spellcheck: "false",
    tabindex: "-1",
  });
  field.className = "typing";
  field.addEventListener("beforeinput", (event) => {
    if (event.isComposing) return;
    event.preventDefault();
    if (event.inputType === "deleteContentBackward") connection.press(BACKSPACE);
    else if (event.inputType === "insertLineBreak") connection.press(RETURN);
    else keysyms(event.data ?? "").forEach((keysym) => connection.press(keysym));
  });
  field.addEventListener("compositionend", (event) => {
    keysyms(event.data).forEach((keysym) => connection.press(keysym));
    field.value = "";
  });
  return field;
}

function button(label: string, pressed: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" });
  made.textContent = label;
  made.addEventListener("click", pressed);
  return made;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

start();
