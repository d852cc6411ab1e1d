import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const STYLES = "node_modules/@mantine/core/styles";
const IMPORT = /import \{([^}]*)\} from "@mantine\/core"/g;

it("has the styles of every Mantine component in use", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const used = sources
    .flatMap((name) => [...readFileSync(join("src", name), "utf8").matchAll(IMPORT)])
    .flatMap((match) => (match[1] ?? "").split(",").map((name) => name.trim()));
  const imported = readFileSync("src/theme/mantine.css", "utf8");
  const missing = [...new Set(used)].filter((name) => existsSync(join(STYLES, `${name}.layer.css`)) && !imported.includes(`/${name}.layer.css`));
  expect(used.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
