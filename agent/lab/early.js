// Runs in JupyterLab's page when it is shown before its server is there: logs in, in a frame, as soon as the server
// answers. Our extension waits for that, and JupyterLab starts once it has all extensions.
(() => {
  const { baseUrl, treePath } = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  const tree = treePath && `/tree/${treePath.split("/").map(encodeURIComponent).join("/")}`;
  const frame = Object.assign(document.createElement("iframe"), { hidden: true });
  const note = Object.assign(document.createElement("p"), { textContent: "Starting JupyterLab…", role: "status" });
  frame.src = `${baseUrl}portal/arrival${tree}?page={portal:page}`;
  note.style.cssText = "position: fixed; inset: 45% 0 auto; margin: 0; text-align: center; font: 14px system-ui";
  document.documentElement.style.colorScheme = "light dark";
  window.portalArrival = new Promise((arrived) => {
    frame.onload = () => {
      // Without "same", the server has another page: its own, a login form, or an error.
      if (frame.contentDocument?.body.textContent !== "same") return location.reload();
      document.documentElement.style.colorScheme = "";
      note.remove();
      frame.remove();
      arrived();
    };
  });
  document.addEventListener("DOMContentLoaded", () => document.body.append(note));
  // Not sooner: JupyterLab's scripts wait for this event, and the event for all frames.
  addEventListener("load", () => document.body.append(frame));
})();
