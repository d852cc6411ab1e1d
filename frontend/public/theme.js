// Before the first paint: the theme chosen last time. A file of its own, so that the page needs no inline script.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("dsp.theme");
  } catch {
    // Storage is blocked: the system decides.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
