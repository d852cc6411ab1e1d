// Before the app's code has arrived: the page Files asks for its folder, which may take as long as the code. The app
// takes the response over (src/lib/early.ts) if it asks for the same.
(function () {
  var given = new URLSearchParams(location.search);
  var names = Array.from(given.keys());
  if (location.pathname !== "/services/portal/files" || names.some((name) => name !== "path")) return;
  var view = { path: given.get("path") ?? "~", q: "", sort: "name", order: "asc", hidden: false, offset: 0, limit: 1000 };
  var query = Object.entries(view).map(([name, value]) => name + "=" + encodeURIComponent(value));
  var url = new URL("/services/portal/api/files?" + query.join("&"), location.origin).href;
  var response = fetch(url, { headers: { Accept: "application/json" } });
  response.catch(() => undefined); // whoever takes it over sees the failure
  window.dspEarly = { url: url, response: response };
})();
