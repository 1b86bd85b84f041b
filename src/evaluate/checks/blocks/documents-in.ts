import { append } from "../../../support/structures/long-lists.ts";
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJsonText,
  textOrJson,
} from "../../../model/json.ts";
import { documentNames, documentScore } from "../../../model/document-names.ts";
import type { RetrievedDocument } from "../../../model/run.ts";
import { occursAsWhole } from "../../rules/whole-values.ts";
import { plainQuotes } from "../../rules/plain-quotes.ts";
import { unescapedJson } from "./span-fields.ts";
import { wordList } from "../../../support/structures/word-list.ts";

export interface ResultFormat {
  /** How a text result is read. `text`: never parsed as JSON. `json`: the text must be JSON. `auto`: parsed as JSON if possible. */
  readonly format: "auto" | "json" | "text";
  /** Texts that mean "nothing found". If undefined, common texts such as "no results" are used. */
  readonly emptyMarkers: readonly string[] | undefined;
}

/**
 * Returns the documents in the result of a retrieving tool: the items of the list in the result, which can be under a common key such as
 * `documents`. A text without structure is one document, unless the text means "nothing found". Returns undefined if a text exceeds the
 * JSON parser's limits, or is not JSON although `format` is `json`.
 */
export function documentsIn(
  result: JsonValue,
  format: ResultFormat,
): readonly RetrievedDocument[] | undefined {
  const values = valuesIn(result, format, 0);
  return values?.map(documentOf);
}

/** Maximum depth of nested objects and lists. A deeper value counts as one document. */
const DEEPEST = 8;

function valuesIn(value: JsonValue, format: ResultFormat, depth: number): readonly JsonValue[] | undefined {
  if (depth > DEEPEST) return [value];
  if (typeof value === "string") return valuesInText(value, format, depth);
  if (isArray(value)) return valuesInList(value, format, depth);
  if (!isObject(value)) return value === null || value === false ? [] : [value];
  if (hasFailed(value)) return [];
  for (const key of listKeys) {
    const list = value[key];
    if (isArray(list) || isObject(list)) return valuesIn(list, format, depth + 1);
    if (list === null) return [];
  }
  const { content } = value;
  if (isArray(content)) return valuesIn(content, format, depth + 1);
  return isBlank(value) || countsNone(value) ? [] : [value];
}

/** Keys under which tools, search engines and vector stores return lists of results. */
const listKeys = wordList(`
  structuredContent documents docs results retrievalResults result response output items hits
  matches chunks passages nodes records points rows value data
`);

function valuesInList(
  list: readonly JsonValue[],
  format: ResultFormat,
  depth: number,
): readonly JsonValue[] | undefined {
  const values: JsonValue[] = [];
  for (const item of list) {
    // In a list of lists, each inner list has the results of one query. An item of type `text` is one part of an MCP tool result.
    const text = isObject(item) && item["type"] === "text" ? item["text"] : undefined;
    const inner = isArray(item) ? item : typeof text === "string" ? text : undefined;
    const found = inner === undefined ? (isBlank(item) ? [] : [item]) : valuesIn(inner, format, depth + 1);
    if (found === undefined) return undefined;
    append(values, found);
  }
  return values;
}

function valuesInText(text: string, format: ResultFormat, depth: number): readonly JsonValue[] | undefined {
  const parsed = format.format === "text" ? undefined : parseJsonText(text);
  if (parsed !== undefined && parsed.problem === undefined && typeof parsed.value !== "string")
    return valuesIn(parsed.value, format, depth + 1);
  if (parsed?.problem !== undefined && parsed.problem !== "syntax") return undefined;
  if (format.format === "json" && parsed?.problem === "syntax") return undefined;
  const trimmed = text.trim();
  return trimmed === "" || saysNothing(trimmed, format.emptyMarkers) ? [] : [trimmed];
}

function hasFailed(value: JsonObject): boolean {
  return value["isError"] === true || (Object.keys(value).length === 1 && Object.hasOwn(value, "error"));
}

const countKeys = ["total", "count", "numFound", "total_results"];

function countsNone(value: JsonObject): boolean {
  return countKeys.some((key) => value[key] === 0);
}

/** Whether an item is empty: null, a blank text, an object without keys, or an object without an id and with only blank texts. */
function isBlank(item: JsonValue): boolean {
  if (typeof item === "string") return item.trim() === "";
  if (!isObject(item)) return item === null;
  if (Object.keys(item).length === 0) return true;
  const texts = contentKeys.flatMap((key) => {
    const text = item[key];
    return typeof text === "string" ? [text] : [];
  });
  return texts.length > 0 && texts.every((text) => text.trim() === "") && documentNames(item).length === 0;
}

const usualMarkers = ["no results", "no documents", "nothing found", "not found"];
/** Matches `found 0 results` and `no matching documents were found` at the beginning of a sentence. */
const noneFound =
  /^(?:(?:i|we|(?:the )?search) )?(?:(?:found|returned) |there (?:are|were) )?(?:no|0|zero) (?:[\p{L}-]+ ){0,2}?(?:results?|documents?|matches|hits|records|entries)(?:$| (?:(?:were|was|have been) )?(?:found|returned|retrieved)\b| (?:for|match(?:ing|ed)?)\b)/u;
const LONGEST_REMARK = 200;

/**
 * Whether a text is one short sentence that means "nothing found". A built-in marker such as "no results" must start or end the sentence. A
 * marker from the spec can be anywhere in the sentence.
 */
function saysNothing(text: string, markers: readonly string[] | undefined): boolean {
  if (text.length > LONGEST_REMARK || /[\n\r]|[.!?]\s+\S/.test(text)) return false;
  const sentence = plainQuotes(text)
    .toLowerCase()
    .replaceAll(/^[\s"'([]+|[\s"').\]!?]+$/g, "");
  if (markers === undefined)
    return (
      noneFound.test(sentence) ||
      usualMarkers.some((marker) => sentence.startsWith(marker) || sentence.endsWith(marker))
    );
  return markers.some((marker) => occursAsWhole(sentence, plainQuotes(marker).toLowerCase().trim()));
}

const contentKeys = ["content", "text", "page_content", "snippet"];

function documentOf(value: JsonValue): RetrievedDocument {
  if (!isObject(value)) return { id: null, content: textOrJson(value), score: null };
  const [id = null, ...sources] = documentNames(value);
  return {
    id,
    content: firstText(value, contentKeys) ?? unescapedJson(value),
    score: documentScore(value),
    ...(sources.length === 0 ? {} : { sources }),
  };
}

function firstText(value: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const found = value[key];
    if (typeof found === "string") return found;
  }
  return null;
}
