import { configJsonSchema } from "./json-schema.ts";
import { durationPattern, sizePattern } from "../quantities.ts";

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A key of the configuration, for the reference page. */
export interface ReferencedKey {
  /** Path of the key. `[]` stands for any entry of a list, and `NAME` for any entry of a map. */
  readonly path: readonly string[];
  /** Kind of the value: duration, size, text, number, boolean, enum, … */
  readonly kind: string;
  readonly description: string;
  /** Default as YAML; null if there is none. */
  readonly fallback: string | null;
  readonly required: boolean;
  readonly isSection: boolean;
}

/** Returns all keys in the order of the schema. */
export function configKeys(): ReferencedKey[] {
  const root = configJsonSchema() as Schema;
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref !== undefined) {
      const target = root.definitions?.[schema.$ref.replace("#/definitions/", "")] ?? {};
      return { ...resolve(target), ...definedOf(schema) };
    }
    const [first] = schema.allOf ?? [];
    return first === undefined ? schema : { ...resolve(first), ...definedOf(schema) };
  };
  const visit = (schema: Schema, path: readonly string[]): ReferencedKey[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
      const here = [...path, name];
      const resolved = resolve(child);
      const required = schema.required?.includes(name) === true && resolved.default === undefined;
      return [keyOf(here, resolved, resolve, required), ...inside(resolved, here)];
    });
  const inside = (schema: Schema, path: readonly string[]): ReferencedKey[] => {
    if (schema.properties !== undefined) return visit(schema, path);
    if (schema.items !== undefined) return inside(resolve(schema.items), [...path, "[]"]);
    const values = schema.additionalProperties;
    return typeof values === "object" ? inside(resolve(values), [...path, "NAME"]) : [];
  };
  return visit(root, []);
}

function definedOf({ description, default: fallback }: Schema): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function keyOf(
  path: readonly string[],
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  required: boolean,
): ReferencedKey {
  const isSection = schema.properties !== undefined;
  return {
    path,
    kind: kindOf(schema, resolve),
    description: schema.description ?? "",
    fallback: schema.default === undefined || isSection ? null : JSON.stringify(schema.default),
    required,
    isSection,
  };
}

function kindOf(schema: Schema, resolve: (schema: Schema) => Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(", ");
  if (schema.pattern === durationPattern) return "duration";
  if (schema.pattern === sizePattern) return "size";
  if (schema.type === "array") {
    const item = schema.items === undefined ? "anything" : kindOf(resolve(schema.items), resolve);
    return item === "section" ? "list" : `list of ${item}`;
  }
  if (schema.type === "object") return schema.properties === undefined ? "map" : "section";
  return kinds.get(schema.type ?? "") ?? schema.type ?? "any";
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["boolean", "boolean"],
  ["integer", "whole number"],
  ["string", "text"],
]);

/** Returns the configuration reference as Markdown. Keys with the same name and meaning share a row. */
export function renderConfigReference(): string {
  const pathsByMeaning = new Map<string, readonly string[]>();
  for (const key of configKeys()) {
    const meaning = `${cell(valueOf(key))} | ${cell(key.description)}`;
    const shared = `${key.path.at(-1) ?? ""} | ${meaning}`;
    pathsByMeaning.set(shared, [...(pathsByMeaning.get(shared) ?? []), `\`${pathText(key.path)}\``]);
  }
  const rows = [...pathsByMeaning].map(
    ([shared, paths]) => `| ${paths.join(" ")} ${shared.slice(shared.indexOf("|"))} |`,
  );
  return `${intro}| key | default, or kind of value | meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/**
 * Returns the default of a key; if it has none, the kind of its value. If the key has a list of allowed values, returns all of them, with
 * the default in bold.
 */
function valueOf({ kind, fallback, required, isSection }: ReferencedKey): string {
  if (isSection) return "";
  if (fallback === null) return required ? `${kind}, required` : kind;
  const value = fallback.replace(/^"(.*)"$/, "$1");
  if (kind.startsWith("`")) return kind.replace(`\`${value}\``, `**\`${value}\`**`);
  if (kind.startsWith("list")) return fallback === "[]" ? kind : `${kind}, \`${fallback}\``;
  return `\`${value}\``;
}

/** Returns a path as text, such as `export.otlp[].endpoint`. */
export function pathText(path: readonly string[]): string {
  return path.join(".").replaceAll(".[]", "[]");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const intro = `<!-- Made from src/config/schema.ts and src/config/schema/ by npm run generate. -->

# Configure Tracejury

After this page you can write a configuration, combine several files, and see the source of each
value. A configuration file is optional.

\`\`\`yaml file=base.yaml
data_dir: ./data
judge: { mode: "off" }
export: { file: verdicts.jsonl }
\`\`\`

\`\`\`yaml file=production.yaml
judge: { mode: auto, model: "\${env:JUDGE_MODEL:-openai/gpt-4o-mini}" }
\`\`\`

\`\`\`sh
tracejury validate base.yaml production.yaml
tracejury config print --config base.yaml --config production.yaml --set data_dir=/var/lib/tracejury | tee effective.txt
grep -q 'mode: auto .*production.yaml' effective.txt
grep -q 'data_dir: /var/lib/tracejury' effective.txt
\`\`\`

In this example, \`production.yaml\` switches judges on, and \`--set\` changes the data folder.
\`config print\` shows each value with its source, and masks secrets. \`config/examples/\` has
configurations for typical deployments.

## Combine files

- The last file that sets a key takes precedence. A list in a later file replaces the list of an
  earlier file.
- \`--set KEY=VALUE\` takes precedence over all files. VALUE is YAML. If a part of KEY contains dots,
  put quotes around it: \`--set 'prices."gpt-4.1".input=2'\`.
- An unknown key in a file is an error. Keys at the top level that begin with \`x-\` are ignored; use
  such keys for YAML anchors.
- Paths are relative to the working directory. If Tracejury finds \`tracejury.yaml\` in a parent
  folder of the working directory, the paths of \`specs\`, \`data_dir\`, \`baseline_dir\` and rubrics in
  this file are relative to the folder of the file.

## Write values

| in a text | replaced by |
|---|---|
| \`\${env:NAME}\` or \`\${NAME}\` | the environment variable, which must be set |
| \`\${env:NAME:-default}\` | the environment variable; if it is unset or empty, the default |
| \`\${file:PATH}\` | the content of the file, without a final line break |
| \`$$\` | a dollar sign |

| value | written as |
|---|---|
| duration | \`500ms\`, \`6s\`, \`2m\`, \`1h30m\`, \`30d\` |
| size | \`512KiB\`, \`64MiB\`, \`2GiB\`; \`KB\`, \`MB\`, \`GB\` are powers of 1000 |

\`tracejury validate FILE\` reports all problems. Editors complete keys if the file contains
\`# yaml-language-server: $schema=PATH\`; \`tracejury schema config\` prints the schema.

## All keys

In the tables, a bold value is the default. Lists are empty unless a default is given.

`;
