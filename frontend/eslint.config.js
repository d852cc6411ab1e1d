import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import ts from "typescript-eslint";

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
      // A scrollable region must be reachable by keyboard.
      "jsx-a11y/no-noninteractive-tabindex": ["error", { roles: ["tabpanel", "region"], tags: ["pre"] }],
    },
  },
  {
    files: ["**/*.js", "**/*.mjs", "public/*.js"],
    ...ts.configs.disableTypeChecked,
    languageOptions: { globals: { ...globals.browser, ...globals.node }, parserOptions: { projectService: false } },
  },
);
