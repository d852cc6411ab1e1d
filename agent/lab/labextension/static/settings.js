// Settings as they are before a user changes any. JupyterLab compiles two programs from each of its seventy schemas, one
// that checks what the user has set and one that adds the defaults: an eighth of the main thread's time until the
// launcher shows. Where nothing is set, there is nothing to check, and the defaults can be read from the schema.

/** Keywords under which ajv adds defaults, too, and which no schema of JupyterLab's uses. */
const LEFT_TO_AJV = [
  "$dynamicRef",
  "$recursiveRef",
  "additionalItems",
  "contains",
  "dependencies",
  "dependentSchemas",
  "else",
  "if",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
/** Of these, ajv adds defaults only from what they refer to, and not always. */
const ALTERNATIVES = ["anyOf", "not", "oneOf"];
const NOTHING_SET = "{}";
const known = new WeakSet();

/** Spare JupyterLab's validator from compiling the schemas of plugins whose settings the user has not changed. */
export async function readDefaults(load) {
  const { DefaultSchemaValidator } = await load("@jupyterlab/settingregistry");
  const { validateData } = DefaultSchemaValidator.prototype;
  const read = new WeakMap(); // by validator, by plugin: JupyterLab, too, keeps what a schema first was
  DefaultSchemaValidator.prototype.validateData = function (plugin, populate = true) {
    if (plugin.raw !== NOTHING_SET) return validateData.call(this, plugin, populate);
    if (!read.has(this)) read.set(this, new Map());
    const defaults = read.get(this);
    if (!defaults.has(plugin.id)) defaults.set(plugin.id, defaultsOf(plugin.schema));
    const composite = defaults.get(plugin.id);
    if (composite === null) return validateData.call(this, plugin, populate);
    if (populate) plugin.data = { composite: structuredClone(composite), user: {} };
    return null;
  };
}

/** The settings that a schema gives by itself, as ajv's `useDefaults` fills them in; null where only ajv knows. */
export function defaultsOf(schema) {
  if (schema.type !== "object") return null;
  try {
    return filled(schema, {}, schema);
  } catch {
    return null;
  }
}

function filled(schema, data, root) {
  if (typeof schema === "boolean" || data === null || typeof data !== "object") return data;
  if (!known.has(schema)) {
    const alternatives = JSON.stringify(ALTERNATIVES.map((keyword) => schema[keyword]));
    if (LEFT_TO_AJV.some((keyword) => keyword in schema) || alternatives.includes('"$ref"'))
      throw new TypeError("a schema that only ajv understands");
    known.add(schema);
  }
  if (schema.$ref !== undefined) filled(resolved(schema.$ref, root), data, root);
  for (const part of schema.allOf ?? []) filled(part, data, root);
  if (Array.isArray(data)) {
    if (Array.isArray(schema.items)) throw new TypeError("a schema for each item");
    for (const item of data) filled(schema.items ?? true, item, root);
    return data;
  }
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema;
  for (const [name, { default: value }] of Object.entries(properties)) {
    if (data[name] === undefined && value !== undefined) data[name] = structuredClone(value);
  }
  const patterns = Object.entries(patternProperties).map(([pattern, part]) => [new RegExp(pattern, "u"), part]);
  for (const [name, value] of Object.entries(data)) {
    const parts = patterns.filter(([pattern]) => pattern.test(name)).map(([, part]) => part);
    if (Object.hasOwn(properties, name)) parts.push(properties[name]);
    for (const part of parts.length > 0 ? parts : [additionalProperties]) filled(part, value, root);
  }
  return data;
}

function resolved(ref, root) {
  const name = /^#\/definitions\/([^/~%]+)$/.exec(ref)?.[1];
  return root.definitions[name];
}
