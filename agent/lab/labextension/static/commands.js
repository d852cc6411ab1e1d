// What JupyterLab's command palette can do about the session, and the key that leads to the portal.
import { sessionWords as words } from "./session-words.js";

const SEARCH = "portal-lab:search";
const NEW_JOB = "portal-lab:new-job";

export function addCommands({ app, palette, link, panel, Notification }) {
  const open = (path) => void window.open(link.page(path), "_blank", "noopener");
  const search = () => open("?palette");
  const commands = {
    "portal-lab:show": { label: words.showSession, caption: words.about, execute: () => panel.open() },
    "portal-lab:extend": { label: words.extendSession, execute: () => panel.open({ extend: true }) },
    "portal-lab:stop": { label: words.stopSession, execute: () => panel.stop() },
    "portal-lab:page": { label: words.sessionPage, execute: () => open(`sessions/${link.here.session}`) },
    [NEW_JOB]: {
      label: words.newJob,
      caption: words.newJobAbout,
      isEnabled: () => link.session !== null && notebookOf(app) !== null,
      execute: () => newJob({ app, link, open, Notification }),
    },
    [SEARCH]: { label: `${words.search} (${isMac() ? "⌘" : "Ctrl+"}K)`, caption: words.searchAbout, execute: search },
  };
  const known = () => link.session !== null;
  for (const [id, command] of Object.entries(commands)) {
    app.commands.addCommand(id, { isEnabled: known, isVisible: known, ...command });
    palette?.addItem({ command: id, category: words.category });
  }
  app.contextMenu.addItem({ command: NEW_JOB, selector: ".jp-Notebook", rank: 50 });
  let was = known();
  link.changed.connect(() => {
    if (was === known()) return;
    was = known();
    Object.keys(commands).forEach((id) => app.commands.notifyCommandChanged(id));
  });
  app.shell.currentChanged?.connect(() => app.commands.notifyCommandChanged(NEW_JOB));
  // Not a key binding of JupyterLab's, which would take the key from terminals and editors that use it: it comes last.
  document.addEventListener("keydown", (event) => {
    if (isSearchKey(event, isMac()) && known()) {
      event.preventDefault();
      search();
    }
  });
}

/** ⌘K on a Mac, Ctrl+K elsewhere, unless something in the page has used it. */
export const isSearchKey = ({ key, metaKey, ctrlKey, altKey, shiftKey, isComposing, defaultPrevented }, mac) =>
  key.toLowerCase() === "k" && (mac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !(altKey || shiftKey || isComposing || defaultPrevented);

const isMac = () => /mac/i.test(navigator.platform);

/** The document of the notebook in front; null if something else is. */
function notebookOf({ shell }) {
  const context = shell.currentWidget?.context;
  return context?.path.endsWith(".ipynb") ? context : null;
}

/** Open the form for a job that runs the notebook in front as it is now: a job reads the file. */
async function newJob({ app, link, open, Notification }) {
  const context = notebookOf(app);
  if (context === null) return;
  const { environment, resources } = link.session;
  const path = `${link.here.root}/${context.path.replace(/^[^/]*:/, "")}`;
  const go = () => open(`jobs/new?${new URLSearchParams({ preset: "notebook", notebook: path, environment, gpus: resources.gpus })}`);
  try {
    if (context.model.dirty) await context.save();
    go();
  } catch (error) {
    console.debug("portal-lab:", error);
    Notification.error(words.notSaved(context.path.split("/").at(-1)), {
      autoClose: false,
      actions: [{ label: words.newJobAnyway, callback: go }],
    });
  }
}
