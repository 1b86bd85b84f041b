import { wordList } from "../../support/structures/word-list.ts";
import { editDistance } from "../metrics/sequences/edit-distance.ts";

/** Keywords that constrain a value, in all drafts. */
const constraints = wordList(`
  type enum const properties required items prefixItems additionalItems additionalProperties patternProperties
  propertyNames minProperties maxProperties minItems maxItems uniqueItems contains minContains maxContains
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format allOf anyOf
  oneOf dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems
`);
const known: ReadonlySet<string> = new Set([
  ...constraints,
  ...wordList(`
    not if then else id title description default example examples deprecated readOnly writeOnly nullable
    discriminator definitions contentEncoding contentMediaType contentSchema
  `),
]);
/** Keywords whose content is a map of schemas by name. */
const byName: ReadonlySet<string> = new Set(
  wordList("properties patternProperties definitions $defs dependentSchemas dependencies"),
);
/** Keywords whose content is a value, not a schema. */
const values: ReadonlySet<string> = new Set(wordList("enum const default example examples"));
const SHORTEST = 3;
const LONG = 8;

/**
 * Returns a probably misspelt keyword of a JSON Schema and the intended keyword; undefined if there is none. JSON Schema ignores unknown
 * keywords, so a misspelt one accepts every value.
 */
export function misspeltKeyword(
  schema: unknown,
): { readonly written: string; readonly meant: string } | undefined {
  const queue: unknown[] = [schema];
  for (const one of queue) {
    if (Array.isArray(one)) queue.push(...(one as unknown[]));
    if (typeof one !== "object" || one === null || Array.isArray(one)) continue;
    for (const [written, content] of Object.entries(one)) {
      const meant = known.has(written) || written.startsWith("$") ? undefined : constraintLike(written);
      if (meant !== undefined) return { written, meant };
      if (values.has(written)) continue;
      if (byName.has(written) && typeof content === "object" && content !== null)
        queue.push(...Object.values(content));
      else queue.push(content);
    }
  }
  return undefined;
}

function constraintLike(word: string): string | undefined {
  if (word.length < SHORTEST) return undefined;
  const folded = word.replace(/[-_]/g, "").toLowerCase();
  return constraints.find(
    (keyword) =>
      editDistance(Array.from(folded), Array.from(keyword.toLowerCase())) <= (keyword.length >= LONG ? 2 : 1),
  );
}
