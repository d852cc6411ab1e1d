// Brings the parts about the session together: the connection, the status bar's item with its panel, notifications.
import { makeBar } from "./bar.js";
import { addCommands } from "./commands.js";
import { Endings } from "./endings.js";
import { Link } from "./link.js";
import { Notices, unsavedIn } from "./notices.js";
import { Reopen } from "./reopen.js";
import { STYLE } from "./session-style.js";

/** Returns what explains a lost connection; null as long as the server knows no portal. */
export function begin({ app, statusbar, palette, apputils, services, signaling, widgets }) {
  const { Dialog, Notification, showDialog } = apputils;
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
  const link = new Link(app.serviceManager.serverSettings, services.ServerConnection, signaling.Signal);
  const { bar, panel } = makeBar({ link, widgets, showDialog, Dialog, unsaved: () => unsavedIn(app) });
  addCommands({ app, palette, link, panel, Notification });
  statusbar?.registerStatusItem("portal-lab:session", {
    item: bar,
    align: "right",
    rank: 0,
    priority: 1, // shown in narrow windows, too
    isActive: () => link.session !== null,
    activeStateChanged: link.changed,
  });
  new Notices({ link, app, Notification, showDialog, Dialog });
  const endings = new Endings({ link, app, widgets, showDialog, Dialog });
  link.start();
  void new Reopen({ link, app, Notification }).start();
  return () => (link.here === null ? null : endings.explain());
}
