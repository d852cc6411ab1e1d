// Lint rules of our own.
import layers from "./layers.js";
import plurals from "./plurals.js";

export default { meta: { name: "portal" }, rules: { layers, plurals } };
