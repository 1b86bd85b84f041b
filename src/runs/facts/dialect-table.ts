import type { Adapter, NameRule } from "../../../adapters/adapter-type.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";

/** A dialect declared in the configuration: the tables of an adapter, without functions. */
export interface DialectTable {
  readonly name: string;
  /** Attributes that only this dialect writes. */
  readonly markers: readonly string[];
  /** Instrumentation scopes; a name ending in `*` is a prefix. */
  readonly scopes: readonly string[];
  /** The role of a span, by attribute and value: `{ "acme.kind": { "llm": "call" } }`. */
  readonly roles: Readonly<Record<string, Readonly<Record<string, SpanRole>>>>;
  /** The role of a span, by span name; a name ending in `*` is a prefix. */
  readonly names: Readonly<Record<string, SpanRole>>;
  /** Attributes that contain a field, in order of precedence. */
  readonly fields: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** Token counts that the dialect's input count (`cached`) or output count (`reasoning`) excludes. */
  readonly apart: readonly ("cached" | "reasoning")[];
}

export function adapterOf({ name, markers, scopes, roles, names, fields, apart }: DialectTable): Adapter {
  const [cached, reasoning] = [apart.includes("cached"), apart.includes("reasoning")];
  return {
    dialect: name,
    markers,
    scopes,
    roles: Object.fromEntries(
      Object.entries(roles).map(([attribute, values]) => [attribute, withLowerCase(values)]),
    ),
    names: Object.entries(names).map(([pattern, role]) => nameRule(pattern, role)),
    fields,
    ...(apart.length === 0 ? {} : { apart: () => ({ cached, reasoning }) }),
  };
}

/** Returns the table with its values in lower case, because values of role attributes are compared in lower case. */
function withLowerCase(values: Readonly<Record<string, SpanRole>>): Record<string, SpanRole> {
  return Object.fromEntries(Object.entries(values).map(([value, role]) => [value.toLowerCase(), role]));
}

function nameRule(pattern: string, role: SpanRole): NameRule {
  const isPrefix = pattern.endsWith("*");
  const escaped = (isPrefix ? pattern.slice(0, -1) : pattern).replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return { pattern: new RegExp(`^${escaped}${isPrefix ? "" : "$"}`), role };
}
