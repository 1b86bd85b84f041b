import { z } from "zod";
import { type Field, fieldNames } from "../../../adapters/field-names.ts";
import { spanRoles } from "../../../adapters/span-roles.ts";
import { text } from "./values.ts";

/** The YAML form of a field name: `requestModel` becomes `request_model`. */
type Written<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Written<Tail>}`
  : "";

/** Names of fields in the code, by their names in YAML. */
export const fieldsByName = new Map(fieldNames.map((field) => [writtenField(field), field]));

export function writtenField<Name extends Field>(field: Name): Written<Name> {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Written<Name>;
}

/** Maximum number of dialects, because all dialects are merged into tables of limited size. */
const MOST_DIALECTS = 8;
const MOST_ATTRIBUTES = 16;
const MOST_ROLE_ATTRIBUTES = 8;

const role = z.enum(spanRoles);
const attributes = z.union([text, z.array(text).min(1).max(MOST_ATTRIBUTES)]);

const dialect = z
  .strictObject({
    name: text.describe("Name of the dialect in `inspect --explain` and `doctor`"),
    markers: z.array(text).describe("Attributes that only this dialect writes").default([]),
    scopes: z
      .array(text)
      .describe("Instrumentation scopes of the dialect; a name that ends in * is a prefix")
      .default([]),
    roles: z
      .record(text, z.record(text, role))
      .describe("The role of a span, by the value of an attribute")
      .default({}),
    names: z
      .record(text, role)
      .describe("The role of a span, by its name or a prefix (`acme.llm*`)")
      .default({}),
    fields: z
      .partialRecord(z.enum([...fieldsByName.keys()]), attributes)
      .describe("The attributes of each field, in order of precedence; `a.*.b` matches indexed keys")
      .default({}),
    apart: z
      .array(z.enum(["cached", "reasoning"]))
      .describe(
        "Token counts that this dialect reports separately: its input count does not include cached tokens, or its output count does not include reasoning tokens",
      )
      .default([]),
  })
  .superRefine(({ markers, scopes }, context) => {
    if (markers.length + scopes.length > 0) return;
    const message = "write `markers` or `scopes`, by which spans of this dialect are recognised";
    context.addIssue({ code: "custom", message });
  });

export const dialects = z
  .array(dialect)
  .max(MOST_DIALECTS)
  .superRefine((all, context) => {
    const names = all.map(({ name }) => name);
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) === at) continue;
      context.addIssue({ code: "custom", path: [at, "name"], message: `there are two dialects "${name}"` });
    }
    const keys = new Set(all.flatMap((each) => Object.keys(each.roles)));
    if (keys.size > MOST_ROLE_ATTRIBUTES) {
      const message = `${keys.size} attributes have roles; at most ${MOST_ROLE_ATTRIBUTES} are allowed in all dialects together`;
      context.addIssue({ code: "custom", message });
    }
  });
