// A lint rule: src/ in layers, each of which may import those before it. Every other folder is a page, and imports no
// other page. Another folder is always named from `~`.
const LAYERS = ["strings", "theme", "paths", "lib", "api", "live", "ui"];
const ABOVE = ["app", "test"];
const ANYTHING = ["main", "test"];

/** Whether the layer or page `folder` may import `other`. */
function mayImport(folder, other) {
  if (folder === other) return true;
  if (folder === "app") return other !== "test";
  const [from, to] = [LAYERS.indexOf(folder), LAYERS.indexOf(other)];
  return !ABOVE.includes(other) && to !== -1 && (from === -1 || to < from);
}

export default {
  meta: {
    type: "problem",
    schema: [],
    messages: { layers: "{{folder}} may not import {{other}}: see lint/layers.js. Move what both need down a layer." },
  },
  create(context) {
    const [folder] = context.filename.split("/src/").at(-1).split(/[/.]/);
    if (ANYTHING.includes(folder)) return {};
    const check = ({ source }) => {
      const [, root, other] = /^(~|[.][.])\/([^/]+)/.exec(source?.value ?? "") ?? [];
      if (root === ".." || (root === "~" && !mayImport(folder, other))) {
        context.report({ node: source, messageId: "layers", data: { folder, other: source.value } });
      }
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
