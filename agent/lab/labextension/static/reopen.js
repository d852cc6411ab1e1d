// Remembers which documents are open, and offers those of the last session to the next one.
import { openIn } from "./notices.js";
import { sessionWords as words } from "./session-words.js";

const PAUSE_MS = 2000;

export class Reopen {
  #kept = "[]";
  #timer = 0;

  constructor({ link, app, Notification }) {
    Object.assign(this, { link, app, Notification });
  }

  async start() {
    const { ok, body } = await this.link.ask("GET", "/documents");
    if (!ok) return;
    const open = this.#open();
    if (body.paths.length > 0 && open.length === 0) this.#offer(body.paths);
    this.app.shell.layoutModified?.connect(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#keep(), PAUSE_MS);
    });
    this.#keep();
  }

  #open() {
    const paths = openIn(this.app).map(({ context }) => context?.path).filter(Boolean);
    return [...new Set(paths.map((path) => path.replace(/^[^/]*:/, "")))].slice(0, 50);
  }

  #keep() {
    const paths = this.#open();
    const text = JSON.stringify(paths);
    if (text === this.#kept) return;
    this.#kept = text;
    void this.link.ask("PUT", "/documents", { paths });
  }

  #offer(paths) {
    const names = paths.map((path) => path.split("/").at(-1));
    const shown = names.slice(0, 3).map((name) => (name.length > 30 ? `${name.slice(0, 29)}…` : name));
    this.Notification.info(words.lastOpen(shown, names.length - shown.length), {
      autoClose: 30_000,
      actions: [
        {
          label: words.openAgain,
          displayType: "accent",
          callback: () => void this.#reopen(paths),
        },
      ],
    });
  }

  /** One after the other: each opens beside the last, and one that is gone does not keep the others. */
  async #reopen(paths) {
    // For notebooks that were never saved: they name no kernel, and JupyterLab would ask for each.
    const kernel = { name: this.app.serviceManager.kernelspecs?.specs?.default };
    for (const path of paths) {
      try {
        await this.app.commands.execute("docmanager:open", { path, kernel });
      } catch (error) {
        this.Notification.warning(words.notReopened(path), { autoClose: 8000 });
        console.debug("portal-lab:", error);
      }
    }
  }
}
