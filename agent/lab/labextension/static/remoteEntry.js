// What JupyterLab loads first: a module federation container, as webpack would generate it. JupyterLab passes its
// shared modules to `init` and takes the extension from `get`; the extension itself is in the modules beside this
// file.
(() => {
  // Loaded now: once JupyterLab asks for the extension, it would wait for one file after another.
  const parts = [
    ["./extension.js", "plugins"],
    ["./session-plugin.js", "sessionPlugins"],
    ["./settings.js", "readDefaults"],
  ].map(([file, name]) => [import(new URL(file, document.currentScript.src).href), name]);
  let shared = {};

  /** One of JupyterLab's own modules: a page holds one version of each. */
  async function load(name) {
    const [version] = Object.values(shared[name] ?? {});
    if (version === undefined) throw new Error(`this JupyterLab shares no ${name}`);
    const factory = await version.get();
    return factory();
  }

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["portal-lab"] = {
    init: (scope) => void (shared = scope),
    async get() {
      await window.portalArrival; // a page that was there before its server
      const start = performance.now();
      // A part that this JupyterLab has too little for is left out; the others work.
      const loaded = await Promise.allSettled(parts.map(async ([module, name]) => (await module)[name](load)));
      loaded.filter(({ reason }) => reason).forEach(({ reason }) => console.debug("portal-lab:", reason));
      const made = loaded.flatMap(({ value }) => value ?? []);
      performance.measure("portal-lab", { start });
      return () => ({ __esModule: true, default: made });
    },
  };
})();
