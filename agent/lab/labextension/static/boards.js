// Lists, opens and ends the session's TensorBoards over Jupyter's own connection to its server.
import { words } from "./words.js";

export const nameOf = (folder) => folder.split("/").filter(Boolean).at(-1) ?? folder;

export class Boards {
  items = [];

  constructor(settings, ServerConnection, Signal) {
    this.settings = settings;
    this.connection = ServerConnection;
    this.changed = new Signal(this);
  }

  /**
   * The board of a folder: `{state: "ready", id, folder, url}`, or the state and message that say why there is none.
   */
  async open(folder) {
    const answer = await this.#send("", { method: "POST", body: JSON.stringify({ folder }) });
    if (answer.state === "ready") await this.refresh();
    return answer;
  }

  async close(id) {
    await this.#send(`/${id}`, { method: "DELETE" });
    await this.refresh();
  }

  async refresh() {
    const { items } = await this.#send("", {});
    this.items = items ?? [];
    this.changed.emit();
  }

  /** Never throws: an unreachable server is a state like the others. */
  async #send(path, request) {
    try {
      const url = `${this.settings.baseUrl}portal/tensorboards${path}`;
      const response = await this.connection.makeRequest(url, request, this.settings);
      if (response.status === 204) return {};
      const body = await response.json();
      return response.ok || body.state ? body : { state: "failed", message: body.message || response.statusText };
    } catch {
      return { state: "failed", message: words.unreachable };
    }
  }
}
