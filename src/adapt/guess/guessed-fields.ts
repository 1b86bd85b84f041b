import type { JsonValue } from "../../model/json.ts";
import { declaredKey } from "../../model/attribute-key.ts";
import type { AttributesView } from "../../model/span-view.ts";
import type { FieldSource, FieldTable } from "../field-table.ts";
import type { Field } from "../fields.ts";
import type { Role } from "../role.ts";
import { guessField } from "./guess-field.ts";
import { roleNamed } from "./guess-role.ts";

/** What the attributes that no adapter claims seem to hold. */
export interface GuessedFields {
  readonly fields: ReadonlyMap<Field, readonly FieldSource[]>;
  readonly role: Role | undefined;
}

const nothing: GuessedFields = { fields: new Map(), role: undefined };

export function guessFields(view: AttributesView, table: FieldTable): GuessedFields {
  if (view.size === 0) return nothing;
  const fields = new Map<Field, FieldSource[]>();
  let role: Role | undefined;
  for (const name of view.keys()) {
    if (isClaimed(name, table)) continue;
    const guess = guessField(name);
    if (guess === null) continue;
    if (guess === "kind") {
      const value = view.named(name);
      role ??= typeof value === "string" ? roleNamed(value) : undefined;
      continue;
    }
    if (textual.has(guess.field) && !mayBeContent(view.named(name))) continue;
    const sources = fields.get(guess.field) ?? [];
    const tree = "tree" in guess ? guess.tree : undefined;
    if (tree === undefined || !sources.some((source) => source.tree === tree))
      sources.push({ attribute: name, key: undefined, tree });
    fields.set(guess.field, sources);
  }
  return { fields, role };
}

const textual: ReadonlySet<Field> = new Set<Field>([
  "input",
  "output",
  "inputMessages",
  "outputMessages",
  "instructions",
  "agent",
  "tool",
]);

function mayBeContent(value: JsonValue | undefined): boolean {
  if (typeof value === "string")
    return value !== "" && !/^(?:true|false|null|none|\d+(?:\.\d+)?)$/i.test(value);
  return typeof value === "object" && value !== null;
}

function isClaimed(name: string, table: FieldTable): boolean {
  const key = declaredKey(name);
  return key !== undefined && table.claimed[key] === true;
}
