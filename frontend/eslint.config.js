import { readdirSync } from "node:fs";

import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import ts from "typescript-eslint";

import plurals from "./plurals.js";

// src/ in layers: each may import those before it. Every other folder is a page, and imports no other page.
const LAYERS = ["strings", "theme", "paths", "lib", "api", "live", "ui"];
const ABOVE = ["app", "test"];
const PAGES = readdirSync(new URL("src", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && ![...LAYERS, ...ABOVE].includes(entry.name))
  .map(({ name }) => name);
const layers = [
  ...LAYERS.map((folder, at) => imports(folder, [...LAYERS.slice(at + 1), ...PAGES, ...ABOVE])),
  ...PAGES.map((folder) => imports(folder, [...PAGES.filter((page) => page !== folder), ...ABOVE])),
  imports("app", ["test"]),
];

/** Keeps the files of a folder from importing these folders; another folder is always named from `~`. */
function imports(folder, forbidden) {
  const regex = `^([.][.]|~.(${forbidden.join("|")})\\b)`;
  const message = `${folder} may not import this: see LAYERS in eslint.config.js. Move what both need down a layer.`;
  return {
    files: [`src/${folder}/**`, `src/${folder}.ts`],
    ignores: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ regex, message }] }],
      "no-restricted-syntax": ["error", { selector: `ImportExpression[source.value=/${regex}/]`, message }],
    },
  };
}

export default ts.config(
  { ignores: ["dist", "src/api/schema.gen.ts"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  a11y.flatConfigs.recommended,
  hooks.configs.flat["recommended-latest"],
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Numbers in sentences and styles are meant.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `onClick={() => doIt()}` reads well whatever doIt returns.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Class names are read with brackets: a missing one is undefined to the type checker, too.
      "@typescript-eslint/dot-notation": "off",
      // Their display is changed where there is little room, which drops the roles that these elements have by themselves.
      "jsx-a11y/no-redundant-roles": [
        "error",
        { table: ["table"], thead: ["rowgroup"], tbody: ["rowgroup"], tfoot: ["rowgroup"], tr: ["row"], td: ["cell"], th: ["columnheader", "rowheader"] },
      ],
      "jsx-a11y/no-interactive-element-to-noninteractive-role": ["error", { td: ["cell"] }],
      // A scrollable region must be reachable by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": ["error", { roles: ["tabpanel", "region"], tags: ["pre"] }],
    },
  },
  ...layers,
  {
    files: ["src/**"],
    ignores: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    plugins: { portal: { rules: { plurals } } },
    rules: { "portal/plurals": "error" },
  },
  {
    files: ["**/*.js", "**/*.mjs", "public/*.js"],
    ...ts.configs.disableTypeChecked,
    languageOptions: { globals: { ...globals.browser, ...globals.node }, parserOptions: { projectService: false } },
  },
);
