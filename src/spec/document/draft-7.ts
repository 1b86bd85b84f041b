import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

/**
 * Converts a schema into JSON Schema draft 7, which editors support. The JSON Schema describes the input before defaults are filled in, and
 * allows root keys that begin with `x-`. A part that occurs several times is defined once, under the name of its key.
 */
export function toDraft7(schema: z.ZodType, title: string): JsonSchema {
  const { $schema, ...made } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema }) => {
      // Removes the bounds of safe integers, which do not help readers of the schema.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { $schema, title, ...shareRepeated(made), patternProperties: { "^x-": {} } };
}

/** Minimum length of a shared part, in characters of JSON. Shorter parts are repeated. */
const worthSharing = 160;

function shareRepeated(root: JsonSchema): JsonSchema {
  const uses = new Map<string, number>();
  const count = (schema: JsonSchema) => {
    const text = JSON.stringify(schema);
    const before = uses.get(text) ?? 0;
    uses.set(text, before + 1);
    // Parts inside a repeated part are not counted, because the whole part is shared.
    if (before > 0) return;
    for (const child of children(schema, "")) count(child.schema);
  };
  count(root);
  const definitions: JsonSchema = { ...(root["definitions"] as JsonSchema | undefined) };
  const names = new Map<string, string>();
  const share = (schema: JsonSchema, key: string): JsonSchema => {
    const text = JSON.stringify(schema);
    if (schema === root || text.length < worthSharing || (uses.get(text) ?? 0) < 2) return inner(schema, key);
    let name = names.get(text);
    if (name === undefined) {
      names.set(text, (name = freeName(key, definitions)));
      definitions[name] = true;
      definitions[name] = inner(schema, key);
    }
    return { $ref: `#/definitions/${name}` };
  };
  const inner = (schema: JsonSchema, key: string): JsonSchema => {
    const copy = { ...schema };
    for (const child of children(schema, key)) child.put(copy, share(child.schema, child.key));
    return copy;
  };
  const shared = inner(root, "");
  return Object.keys(definitions).length > 0 ? { ...shared, definitions } : shared;
}

function freeName(key: string, used: JsonSchema): string {
  let name = key;
  for (let n = 2; name in used; n++) name = `${key}_${n}`;
  return name;
}

interface Child {
  readonly schema: JsonSchema;
  /** Name of the nearest property. */
  readonly key: string;
  put(parent: JsonSchema, schema: JsonSchema): void;
}

/** Returns the direct subschemas of a schema. */
function children(schema: JsonSchema, key: string): Child[] {
  const found: Child[] = [];
  const add = (child: unknown, name: string, put: Child["put"]) => {
    if (isSchema(child)) found.push({ schema: child, key: name, put });
  };
  const properties = schema["properties"];
  if (isSchema(properties))
    for (const [name, child] of Object.entries(properties))
      add(
        child,
        name,
        (parent, made) => (parent["properties"] = { ...(parent["properties"] as JsonSchema), [name]: made }),
      );
  for (const keyword of ["items", "additionalProperties"])
    add(schema[keyword], key, (parent, made) => (parent[keyword] = made));
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const options = schema[keyword];
    if (!Array.isArray(options)) continue;
    options.forEach((option, index) =>
      add(
        option,
        key,
        (parent, made) => (parent[keyword] = (parent[keyword] as unknown[]).with(index, made)),
      ),
    );
  }
  return found;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
