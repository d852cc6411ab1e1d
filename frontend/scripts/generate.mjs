// openapi.json → src/api/schema.gen.ts. The server's prefix is cut off the paths, so that the client's calls
// read "/sessions/{session_id}" and the prefix stands in one place, src/paths.ts. Examples are left out: types need none.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const here = new URL("../", import.meta.url);
const schema = JSON.parse(await readFile(new URL("openapi.json", here), "utf8"), withoutExample);
schema.paths = Object.fromEntries(
  Object.entries(schema.paths).map(([path, item]) => [path.replace(/^.*\/api(?=\/)/, ""), item]),
);

function withoutExample(key, value) {
  const isMedia = value !== null && typeof value === "object" && "schema" in value && "example" in value;
  return isMedia ? { ...value, example: undefined } : value;
}

const header = "// Made by `npm run generate` from openapi.json. Do not edit.\n\n";
const out = new URL("src/api/schema.gen.ts", here);
await writeFile(out, header + astToString(await openapiTS(schema, { alphabetize: true })));
console.log(`${Object.keys(schema.paths).length} paths → src/api/schema.gen.ts`);
