import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { FieldSource, FieldTable } from "../layout/field-table.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import { readCounts } from "../span/read-usage.ts";
import { type InferredMeaning, meaningOfName } from "./meaning-of-name.ts";
import { fieldOfValue, mayTellByValue } from "./field-of-value.ts";
import { roleNamed } from "./role-words.ts";
import { unfold } from "../messages/unfold.ts";

/** What the attributes that no adapter claims seem to hold. */
export interface InferredFields {
  readonly fields: ReadonlyMap<Field, readonly FieldSource[]>;
  readonly role: SpanRole | undefined;
}

/** An attribute that no adapter claims, and what its name suggests. */
export interface UndeclaredAttribute {
  readonly name: string;
  /** Its place in the set of attributes. */
  readonly place: number;
  /** `value`: its name suggests nothing, but its value may. */
  readonly meaning: InferredMeaning | "value";
}

/** What the names of a set's attributes suggest. */
export interface UndeclaredAttributes {
  readonly attributes: readonly UndeclaredAttribute[];
  /** Attributes that no adapter claims and that were not examined. */
  readonly unexamined: number;
}

/** At most so many attributes of one set are examined: real producers write some tens, and senders choose the number. */
const MOST_NAMES = 256;
/** At most so many names of one set are looked up by their values. */
const MOST_VALUES = 16;

/** Infers from the names alone of a set of attributes. */
export function inferFromNames(view: AttributesView, table: FieldTable): UndeclaredAttributes {
  const found = new Map<string, UndeclaredAttribute>();
  let examined = 0;
  let values = 0;
  for (let place = 0; place < view.size; place++) {
    if (examined === MOST_NAMES) return { attributes: [...found.values()], unexamined: view.size - place };
    const { isDeclared, tree } = table.names.at(view, place);
    if (isDeclared || tree !== undefined) continue;
    const name = view.nameAt(place);
    examined++;
    const meaning = meaningOfName(name);
    if (meaning !== null) found.set(name, { name, place, meaning });
    else if (mayTellByValue(name) && (found.has(name) || ++values <= MOST_VALUES))
      found.set(name, { name, place, meaning: "value" });
  }
  return { attributes: [...found.values()], unexamined: 0 };
}

/** Undefined where the values contradict all that the names suggest. */
export function inferFields(
  view: AttributesView,
  names: readonly UndeclaredAttribute[],
): InferredFields | undefined {
  let fields: Map<Field, FieldSource[]> | undefined;
  let role: SpanRole | undefined;
  const add = (field: Field, attribute: string, place: number, tree?: string) => {
    fields ??= new Map();
    const sources = fields.get(field) ?? [];
    if (tree === undefined || !sources.some((source) => source.tree === tree))
      sources.push({ attribute, key: undefined, place, tree });
    fields.set(field, sources);
  };
  for (const { name, place, meaning } of names) {
    if (meaning === "value") {
      const field = fieldOfValue(view.valueAt(place));
      if (field !== undefined) add(field, name, place);
      continue;
    }
    if (meaning === "kind") {
      const value = view.valueAt(place);
      // Behind a blank comes whom or what it is about: `ai.generateText my-agent`.
      role = nearer(role, typeof value === "string" ? roleNamed(value.split(" ", 1)[0] ?? "") : undefined);
      continue;
    }
    if (textual.has(meaning.field) && !mayBeContent(view.valueAt(place))) continue;
    if (meaning.field === "arguments" && isSchema(view.valueAt(place))) continue;
    if (meaning.field === "usage" && !holdsCounts(view.valueAt(place))) continue;
    add(meaning.field, name, place, "tree" in meaning ? meaning.tree : undefined);
  }
  if (fields === undefined && role === undefined) return undefined;
  return { fields: fields ?? new Map<Field, FieldSource[]>(), role };
}

/** Spans often carry what is around them as well: the agent of a tool, the workflow of an agent. */
function nearer(one: SpanRole | undefined, other: SpanRole | undefined): SpanRole | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return wide.indexOf(other) < wide.indexOf(one) ? other : one;
}

/** Roles that hold others, widest last; what is not among them is nearest. */
const wide: readonly (SpanRole | undefined)[] = ["agent", "workflow", "step", "session"];

const textual: ReadonlySet<Field> = new Set<Field>([
  "input",
  "output",
  "inputMessages",
  "outputMessages",
  "instructions",
  "agent",
  "tool",
]);

export function mayBeContent(value: JsonValue | undefined): boolean {
  if (typeof value === "string")
    return value !== "" && !/^(?:true|false|null|none|\d+(?:\.\d+)?)$/i.test(value);
  return typeof value === "object" && value !== null;
}

function holdsCounts(value: JsonValue | undefined): boolean {
  const { input, output } = readCounts(value);
  return input !== undefined || output !== undefined;
}

/** A definition of parameters is none of their values. */
function isSchema(value: JsonValue | undefined): boolean {
  const inner = unfold(value ?? null, 1);
  if (!isObject(inner)) return false;
  if (isObject(inner["properties"]) && (inner["type"] === "object" || isArray(inner["required"])))
    return true;
  const all = Object.values(inner);
  return (
    all.length > 0 &&
    all.every((one) => isObject(one) && typeof one["type"] === "string" && "description" in one)
  );
}

/** Some count of tokens under one of these names: a model call's span, even where it is an HTTP client's as well. */
export function speaksOfTokens(name: string): boolean {
  const meaning = meaningOfName(name);
  return meaning !== null && meaning !== "kind" && tokenFields.has(meaning.field);
}

const tokenFields: ReadonlySet<Field> = new Set<Field>(["inputTokens", "outputTokens", "usage"]);
