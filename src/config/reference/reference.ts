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

/** One key of the configuration, as its reference lists it. */
export interface ReferencedKey {
  /** Dotted; `[]` for the entries of a list, `NAME` for those of a map. */
  readonly path: readonly string[];
  /** What is written there: duration, size, text, number, switch, one of some words, … */
  readonly kind: string;
  readonly description: string;
  /** As YAML; null where there is none. */
  readonly fallback: string | null;
  readonly required: boolean;
  readonly isSection: boolean;
}

/** Every key there is, in the order of the schema. */
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
    return `list of ${schema.items === undefined ? "anything" : kindOf(resolve(schema.items), resolve)}`;
  }
  if (schema.type === "object") return schema.properties === undefined ? "map" : "section";
  return kinds.get(schema.type ?? "") ?? schema.type ?? "any";
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["boolean", "true or false"],
  ["integer", "whole number"],
  ["string", "text"],
]);

/** The reference of the configuration as Markdown. */
export function renderConfigReference(): string {
  const rows = configKeys().map(
    ({ path, kind, description, fallback, required }) =>
      `| \`${pathText(path)}\` | ${cell(kind)} | ${required ? "required" : fallback === null ? "" : `\`${cell(fallback)}\``} | ${cell(description)} |`,
  );
  return `${intro}\n| key | what | default | |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

/** `export.otlp[].endpoint`. */
export function pathText(path: readonly string[]): string {
  return path.join(".").replaceAll(".[]", "[]");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const intro = `<!-- Made from src/config/schema.ts by npm run generate. -->

# Configuration

One YAML file, or several: \`tracejury serve --config base.yaml --config here.yaml\`. Later files win key by key, lists are replaced as a
whole, and \`--set a.b=VALUE\` (VALUE is YAML; keys with dots are quoted) wins over all. None is needed: every key has a default or may be
left out. An unknown key is an error that names the key that was probably meant; \`tracejury validate FILE\` finds all problems of a file.

In texts, \`\${env:NAME}\` is an environment variable, \`\${env:NAME:-default}\` one that may be unset, \`\${file:PATH}\` the content of a
file, and \`$$\` a dollar sign. Root keys that begin with \`x-\` are left alone: a place for anchors. Paths are relative to the working
directory.

\`tracejury config print\` shows what takes effect: every value, where it is from, secrets masked. \`tracejury schema config\` prints the
JSON Schema; \`# yaml-language-server: $schema=…\` at the top of a file lets an editor use it. \`config/examples/\` has a file for each usual
deployment.

Durations: \`500ms\`, \`6s\`, \`2m\`, \`1h30m\`, \`30d\`. Sizes: \`512KiB\`, \`64MiB\`, \`2GiB\`, or \`KB\`, \`MB\`, \`GB\` in thousands.
`;
