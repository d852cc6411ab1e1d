// What JupyterLab loads first: a module federation container, as webpack would generate it. JupyterLab passes its
// shared modules to `init` and takes the extension from `get`; the extension itself is the module beside this file.
(() => {
  const extension = new URL("./extension.js", document.currentScript.src).href;
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
      const { plugins } = await import(extension);
      const made = await plugins(load);
      return () => ({ __esModule: true, default: made });
    },
  };
})();
