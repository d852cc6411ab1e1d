// What a page behind the app proxy includes to show the session's line: a frame of its own, so that neither the page's
// styles nor its scripts meet ours. A slim line in the lower right corner; in an element with the id `portal-session`,
// as wide as that. Nothing is shown where the session knows no portal, or to anybody but its owner.
const place = document.getElementById("portal-session");
const frame = document.createElement("iframe");
frame.title = "Session";
frame.src = new URL(place === null ? "bar?corner" : "bar", import.meta.url).href;
// No height until there is something to show: the frame's own page sets it.
frame.style.cssText =
  "display:block;border:0;height:0;width:100%;" +
  (place === null ? "position:fixed;right:0;bottom:0;z-index:2147483000;max-width:100vw;max-height:80vh;" : "");
(place ?? document.documentElement).append(frame);
