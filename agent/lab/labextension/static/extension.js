// The Lab side of TensorBoard: where it is opened (context menu, toolbar, launcher, palette, address), and what is open
// (tabs, Running panel). One tab per folder.
import { Boards, nameOf } from "./boards.js";
import { makeTabs } from "./tab.js";
import { words } from "./words.js";

const ID = "portal-lab:tensorboard";
const OPEN = "portal-tensorboard:open";
const OPEN_SELECTED = "portal-tensorboard:open-selected";
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="-4 -4 24 24">
  <path class="jp-icon3 jp-icon-selectable" fill="#616161" d="M2 0v14h14v2H1a1 1 0 0 1-1-1V0Zm12.3 2.300 1.400 1.400-5.700
  5.700-3-3-3.300 3.300-1.400-1.400 4.700-4.700 3 3Z"/></svg>`;

// The file browser's toolbar is full: shrink the wide button for a new launcher to make room for ours.
const ROOM = `.jp-FileBrowser-toolbar.jp-Toolbar jp-button.jp-ToolbarButtonComponent[data-command="launcher:create"] {
  width: 36px; min-width: 0; }`;

const SHARED = [
  "@jupyterlab/application",
  "@jupyterlab/apputils",
  "@jupyterlab/filebrowser",
  "@jupyterlab/launcher",
  "@jupyterlab/running",
  "@jupyterlab/services",
  "@jupyterlab/ui-components",
  "@lumino/widgets",
  "@lumino/signaling",
];

/** JupyterLab's modules are asked for at activation: before, the page would wait for them on our account. */
export const plugins = async (load) => [
  {
    id: ID,
    description: words.about,
    autoStart: true,
    activate: (app) => activate(app, load).catch((reason) => console.debug("portal-lab:", reason)),
  },
];

async function activate(app, load) {
  const [application, apputils, files, launchers, running, services, ui, widgets, signaling] = await Promise.all(
    SHARED.map(load),
  );
  if (files.IDefaultFileBrowser === undefined) return; // JupyterLab 3
  const [browser, launcher, palette, restorer, router, managers] = await Promise.all(
    [
      files.IDefaultFileBrowser,
      launchers.ILauncher,
      apputils.ICommandPalette,
      application.ILayoutRestorer,
      application.IRouter,
      running.IRunningSessionManagers,
    ].map((token) => app.resolveOptionalService(token)),
  );
  if (browser === null) return;
  document.head.append(Object.assign(document.createElement("style"), { textContent: ROOM }));
  const icon = new ui.LabIcon({ name: "portal-lab:tensorboard", svgstr: ICON });
  const boards = new Boards(app.serviceManager.serverSettings, services.ServerConnection, signaling.Signal);
  const tracker = new apputils.WidgetTracker({ namespace: "portal-tensorboard" });
  const openTab = makeTabs({ app, apputils, ui, widgets, boards, tracker, icon });

  app.commands.addCommand(OPEN, {
    label: words.name,
    caption: words.about,
    icon,
    execute: ({ folder, cwd }) => openTab(folder ?? cwd ?? browser.model.path),
  });
  app.commands.addCommand(OPEN_SELECTED, {
    label: words.openHere,
    caption: words.about,
    icon,
    execute: () => Promise.all(chosenIn(browser).map(openTab)),
  });
  palette?.addItem({ command: OPEN, category: words.name });
  launcher?.add({ command: OPEN, category: words.category, rank: 2 });
  void restorer?.restore(tracker, {
    command: OPEN,
    args: ({ portalFolder }) => ({ folder: portalFolder }),
    name: ({ portalFolder }) => portalFolder,
  });
  if (router) answerAddress(app, router);
  managers?.add(runningOf({ app, boards, icon }));
}

/** The folders selected in the file browser, or the one it shows. */
function chosenIn(browser) {
  const folders = [...browser.selectedItems()].filter((item) => item.type === "directory").map((item) => item.path);
  return (folders.length > 0 ? folders : [browser.model.path]).map(withoutDrive);
}

/** `RTC:runs` is `runs`: drives are internal to the browser. */
const withoutDrive = (path) => path.replace(/^[^/]*:/, "");

/** `…/lab?tensorboard=~/runs`: how the portal opens TensorBoard in a running session. */
function answerAddress(app, router) {
  const command = "portal-tensorboard:from-address";
  app.commands.addCommand(command, {
    execute: async ({ search }) => {
      const query = new URLSearchParams(search);
      const folder = query.get("tensorboard");
      query.delete("tensorboard");
      const rest = query.size > 0 ? `?${query}` : "";
      // Reloading the page must not open it again.
      router.navigate(`${router.current.path}${rest}`, { skipRouting: true });
      await app.restored;
      await app.commands.execute(OPEN, { folder });
    },
  });
  router.register({ command, pattern: /[?&]tensorboard=/ });
}

/** The section of the Running panel. */
function runningOf({ app, boards, icon }) {
  return {
    name: words.plural,
    supportsMultipleViews: false,
    running: () =>
      boards.items.map((board) => ({
        open: () => void app.commands.execute(OPEN, { folder: board.folder }),
        shutdown: () => void boards.close(board.id),
        icon: () => icon,
        label: () => nameOf(board.folder),
        labelTitle: () => board.folder,
      })),
    shutdownAll: () => boards.items.forEach(({ id }) => void boards.close(id)),
    refreshRunning: () => void boards.refresh(),
    runningChanged: boards.changed,
    shutdownLabel: words.shutDown,
    shutdownAllLabel: words.shutDownAll,
    shutdownAllConfirmationText: words.shutDownAllSure,
  };
}
