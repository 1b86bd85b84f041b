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
/** Values of `format` that the validator knows. */
const formats = wordList(`
  date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6 regex uuid
  json-pointer json-pointer-uri-fragment relative-json-pointer int32 int64 float double byte password binary
`);
/**
 * Formats for which a similar word is a misspelling. Similar words of other formats have meanings of their own: `guid`, `urn`, `uint32`.
 */
const distinctive = formats.filter(
  (format) => format.length >= 5 && !/^(?:u?int|float|double|ipv)/.test(format),
);
const SHORTEST = 3;
const LONG = 8;

interface Misspelt {
  readonly what: "keyword" | "format";
  readonly written: string;
  readonly meant: string;
}

/**
 * Returns a probably misspelt keyword or `format` of a JSON Schema and the intended word; undefined if there is none. JSON Schema ignores
 * unknown keywords and formats, so a misspelt one accepts every value.
 */
export function misspeltKeyword(schema: unknown): Misspelt | undefined {
  const queue: unknown[] = [schema];
  for (const one of queue) {
    if (Array.isArray(one)) queue.push(...(one as unknown[]));
    if (typeof one !== "object" || one === null || Array.isArray(one)) continue;
    for (const [written, content] of Object.entries(one)) {
      const meant = known.has(written) || written.startsWith("$") ? undefined : constraintLike(written);
      if (meant !== undefined) return { what: "keyword", written, meant };
      const format = written === "format" && typeof content === "string" ? formatLike(content) : undefined;
      if (format !== undefined) return { what: "format", written: String(content), meant: format };
      if (values.has(written)) continue;
      if (byName.has(written) && typeof content === "object" && content !== null)
        queue.push(...Object.values(content));
      else queue.push(content);
    }
  }
  return undefined;
}

/** Returns the format that differs only in case and separators, otherwise one that differs by one letter or two swapped letters. */
function formatLike(word: string): string | undefined {
  if (formats.includes(word)) return undefined;
  const letters = lettersOf(word);
  return (
    formats.find((format) => lettersOf(format).join("") === letters.join("")) ??
    distinctive.find((format) => {
      const others = lettersOf(format);
      const distance = editDistance(letters, others);
      return distance === 1 || (distance === 2 && letters.toSorted().join("") === others.toSorted().join(""));
    })
  );
}

function lettersOf(word: string): readonly string[] {
  return Array.from(word.replace(/[-_ ]/g, "").toLowerCase());
}

function constraintLike(word: string): string | undefined {
  if (word.length < SHORTEST) return undefined;
  const letters = lettersOf(word);
  return constraints.find(
    (keyword) => editDistance(letters, lettersOf(keyword)) <= (keyword.length >= LONG ? 2 : 1),
  );
}
