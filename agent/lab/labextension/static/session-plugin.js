// The Lab side of the session. Little of it is loaded with the page: nothing is needed to draw it, so the rest follows
// once JupyterLab stands. It needs nothing that every JupyterLab 4 does not have; what is missing is left out.
const SHARED = [
  "@jupyterlab/apputils",
  "@jupyterlab/services",
  "@jupyterlab/statusbar",
  "@lumino/signaling",
  "@lumino/widgets",
];

export async function sessionPlugins(load) {
  // The only one that JupyterLab has loaded before its extensions.
  const application = await load("@jupyterlab/application");
  let explain = () => null;
  return [
    {
      id: "portal-lab:session",
      description: "Time, use and messages of this session",
      autoStart: true,
      activate(app) {
        const follow = async () => {
          openLauncher(app, location);
          const [apputils, services, { IStatusBar }, signaling, widgets] = await Promise.all(SHARED.map(load));
          const [statusbar, palette] = await Promise.all(
            [IStatusBar, apputils.ICommandPalette].map((token) => app.resolveOptionalService(token)),
          );
          const { begin } = await import("./session.js");
          explain = begin({ app, statusbar, palette, apputils, services, signaling, widgets });
        };
        void app.restored.then(follow).catch((reason) => console.debug("portal-lab:", reason));
      },
    },
    {
      // In place of JupyterHub's "Server unavailable", which gives no reason and starts a server without the portal.
      id: "portal-lab:connection-lost",
      description: "Says how the session ended",
      autoStart: true,
      provides: application.IConnectionLost,
      activate: () => async (app, error, translator) => {
        await (explain() ?? application.ConnectionLost(app, error, translator));
      },
    },
  ];
}

/**
 * Open the launcher if JupyterLab is about to: JupyterLab does so only after a debounced save of the workspace, half a
 * second later. An address with a path or a query may request something else, which JupyterLab opens.
 */
export function openLauncher({ commands, shell }, { pathname, search }) {
  const plain = /\/lab(\/workspaces\/[^/]+)?\/?$/.test(pathname) && search === "";
  if (plain && shell.isEmpty?.("main") && commands.hasCommand("launcher:create")) void commands.execute("launcher:create");
}
