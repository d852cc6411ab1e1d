// Lint rules, most of which the linter groups under `correctness`. Type errors are reported, too: `npm run lint` is the
// type check.
import { defineConfig } from "oxlint";

const TESTS = ["src/**/*.test.ts", "src/**/*.test.tsx"];

export default defineConfig({
  ignorePatterns: ["dist", "src/api/schema.gen.ts"],
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: "error", maxWarnings: 0 },
  plugins: ["typescript", "jsx-a11y", "react"],
  jsPlugins: ["./lint/rules.js"],
  env: { builtin: true, browser: true },
  categories: { correctness: "error" },
  rules: {
    // Beyond `correctness`: the rest of typescript-eslint's strict rules, and of ESLint's and React's recommended ones.
    ...errors(
      "no-array-constructor",
      "no-case-declarations",
      "no-empty",
      "no-fallthrough",
      "no-prototype-builtins",
      "no-redeclare",
      "no-regex-spaces",
      "no-unexpected-multiline",
      "no-useless-constructor",
      "react/rules-of-hooks",
      "react/unsupported-syntax",
      "typescript/ban-ts-comment",
      "typescript/no-deprecated",
      "typescript/no-dynamic-delete",
      "typescript/no-empty-object-type",
      "typescript/no-explicit-any",
      "typescript/no-extraneous-class",
      "typescript/no-invalid-void-type",
      "typescript/no-misused-promises",
      "typescript/no-mixed-enums",
      "typescript/no-namespace",
      "typescript/no-non-null-asserted-nullish-coalescing",
      "typescript/no-non-null-assertion",
      "typescript/no-require-imports",
      "typescript/no-unnecessary-boolean-literal-compare",
      "typescript/no-unnecessary-condition",
      "typescript/no-unnecessary-template-expression",
      "typescript/no-unnecessary-type-arguments",
      "typescript/no-unnecessary-type-assertion",
      "typescript/no-unnecessary-type-constraint",
      "typescript/no-unnecessary-type-conversion",
      "typescript/no-unnecessary-type-parameters",
      "typescript/no-unsafe-enum-comparison",
      "typescript/no-unsafe-function-type",
      "typescript/only-throw-error",
      "typescript/prefer-literal-enum-member",
      "typescript/prefer-promise-reject-errors",
      "typescript/prefer-reduce-type-parameter",
      "typescript/prefer-return-this-type",
      "typescript/related-getter-setter-pairs",
      "typescript/require-await",
      "typescript/unified-signatures",
      "typescript/use-unknown-in-catch-callback-variable",
    ),
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    // Numbers in sentences and styles are meant.
    "typescript/restrict-template-expressions": ["error", { allowNumber: true }],
    // `onClick={() => doIt()}` reads well whatever doIt returns.
    "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    // Their display is changed where there is little room, which drops the roles that these elements have by themselves.
    "jsx-a11y/no-redundant-roles": [
      "error",
      { table: ["table"], thead: ["rowgroup"], tbody: ["rowgroup"], tfoot: ["rowgroup"], tr: ["row"], td: ["cell"], th: ["columnheader", "rowheader"] },
    ],
    "jsx-a11y/no-interactive-element-to-noninteractive-role": ["error", { tr: ["row"], td: ["cell"] }],
    // HTML's own tags for these roles look or behave differently.
    "jsx-a11y/prefer-tag-over-role": "off",
    // A cell is not a control.
    "jsx-a11y/control-has-associated-label": "off",
    // A scrollable region must be reachable by keyboard.
    "jsx-a11y/no-noninteractive-tabindex": ["error", { roles: ["tabpanel", "region"], tags: ["pre"] }],
  },
  overrides: [
    { files: ["src/**"], excludeFiles: TESTS, rules: { "portal/layers": "error", "portal/plurals": "error" } },
    {
      files: ["**/*.ts", "**/*.tsx"], // JavaScript has no type annotations
      rules: {
        ...errors(
          "typescript/no-unsafe-argument",
          "typescript/no-unsafe-assignment",
          "typescript/no-unsafe-call",
          "typescript/no-unsafe-member-access",
          "typescript/no-unsafe-return",
        ),
        "typescript/restrict-plus-operands": ["error", { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false }],
      },
    },
    { files: ["**/*.js", "**/*.mjs"], env: { node: true } },
  ],
});

function errors(...rules: string[]) {
  return Object.fromEntries(rules.map((rule) => [rule, "error" as const]));
}
