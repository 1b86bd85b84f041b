import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { declaredKey } from "../../model/attribute-key.ts";
import type { AttributesView } from "../../model/span-view.ts";
import type { FieldSource, FieldTable } from "../field-table.ts";
import type { Field } from "../fields.ts";
import type { Role } from "../role.ts";
import { readCounts } from "../read-usage.ts";
import { type Guess, guessField } from "./guess-field.ts";
import { fieldOfValue, mayTellByValue } from "./guess-value.ts";
import { roleNamed } from "./guess-role.ts";
import { unfold } from "../messages/unfold.ts";

/** What the attributes that no adapter claims seem to hold. */
export interface GuessedFields {
  readonly fields: ReadonlyMap<Field, readonly FieldSource[]>;
  readonly role: Role | undefined;
}

/** An attribute that no adapter claims, and what its name looks like. */
export interface NameGuess {
  readonly name: string;
  /** `value`: its name looks like nothing, but its value may. */
  readonly guess: Guess | "value";
}

/** Values are looked at for so many names of one span. */
const MOST_VALUES = 16;

/** What can be guessed from the names alone of a set of attributes. */
export function guessNames(view: AttributesView, table: FieldTable): NameGuess[] {
  let values = 0;
  return view.keys().flatMap((name): NameGuess[] => {
    if (isClaimed(name, table)) return [];
    const guess = guessField(name);
    if (guess !== null) return [{ name, guess }];
    return mayTellByValue(name) && (values += 1) <= MOST_VALUES ? [{ name, guess: "value" }] : [];
  });
}

/** Undefined where nothing is left of what the names looked like. */
export function guessFields(view: AttributesView, names: readonly NameGuess[]): GuessedFields | undefined {
  let fields: Map<Field, FieldSource[]> | undefined;
  let role: Role | undefined;
  const add = (field: Field, attribute: string, tree?: string) => {
    fields ??= new Map();
    const sources = fields.get(field) ?? [];
    if (tree === undefined || !sources.some((source) => source.tree === tree))
      sources.push({ attribute, key: undefined, tree });
    fields.set(field, sources);
  };
  for (const { name, guess } of names) {
    if (guess === "value") {
      const field = fieldOfValue(view.named(name));
      if (field !== undefined) add(field, name);
      continue;
    }
    if (guess === "kind") {
      const value = view.named(name);
      // Behind a blank comes whom or what it is about: `ai.generateText my-agent`.
      role = nearer(role, typeof value === "string" ? roleNamed(value.split(" ", 1)[0] ?? "") : undefined);
      continue;
    }
    if (textual.has(guess.field) && !mayBeContent(view.named(name))) continue;
    if (guess.field === "arguments" && isSchema(view.named(name))) continue;
    if (guess.field === "usage" && !holdsCounts(view.named(name))) continue;
    add(guess.field, name, "tree" in guess ? guess.tree : undefined);
  }
  if (fields === undefined && role === undefined) return undefined;
  return { fields: fields ?? new Map<Field, FieldSource[]>(), role };
}

/** Spans often carry what is around them as well: the agent of a tool, the workflow of an agent. */
function nearer(one: Role | undefined, other: Role | undefined): Role | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return wide.indexOf(other) < wide.indexOf(one) ? other : one;
}

/** Roles that hold others, widest last; what is not among them is nearest. */
const wide: readonly (Role | undefined)[] = ["agent", "workflow", "step", "session"];

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
  const guess = guessField(name);
  return guess !== null && guess !== "kind" && tokenFields.has(guess.field);
}

const tokenFields: ReadonlySet<Field> = new Set<Field>(["inputTokens", "outputTokens", "usage"]);

function isClaimed(name: string, table: FieldTable): boolean {
  const key = declaredKey(name);
  return key !== undefined && table.claimed[key] === true;
}
