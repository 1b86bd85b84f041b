import type { JsonObject, JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";

/*
 * Synonyms for the fields of messages, parts, calls and results. Each row lists the keys of one field, preferred keys first. `fieldsOf`
 * reads an object's keys in one pass.
 */
class Rows {
  readonly keys: string[] = [];

  add(keys: string): number {
    return this.keys.push(keys) - 1;
  }
}

const rows = new Rows();

function field(keys: string): number {
  return rows.add(keys);
}

export const ROLE = field("role");
export const TYPE = field("type part_kind block_type content_type kind $class");
export const NAME = field("name tool_name toolName function_name tool_function recipient_name");
export const SPEAKER = field("author source");
export const ID = field("id");
export const CALL_ID = field(
  "call_id toolCallId tool_call_id tool_request_id callId toolUseId tool_use_id tool_id ref approval_request_id",
);
export const CONTENT = field("content");
export const TEXT = field("text");
export const VALUE = field("value");
export const REFUSAL = field("refusal");
export const PARTS = field("parts contents blocks items");
export const ARGUMENTS = field("arguments args input tool_kwargs tool_arguments");
/** Keys that contain arguments, if the object is already known to be a call. */
export const CALL_ARGUMENTS = field("tool_args toolArgs tool_input parameters action actions code queries");
export const OUTPUT = field("response result output outputs");
export const KWARGS = field("kwargs");
export const MESSAGE = field("message");
export const DATA = field("data");
export const CALLS = field("tool_calls toolCalls tool_requests toolRequests toolExecutionRequests");
export const CALL = field(
  "tool_call toolCall function_call functionCall toolUse tool_use toolRequest server_tool_call",
);
export const RESULT = field(
  "function_response functionResponse toolResult tool_result toolResponse tool_response tool_call_result server_tool_call_response",
);
/** Keys of the function in a call. The value is an object with name and arguments, or only the name. */
export const FUNCTION = field("function");
export const ORIGIN = field("origin");
/** Keys under which LlamaIndex, Haystack and Bedrock wrap a part. */
export const PART = field("message_content root guardContent");
export const EXTRA = field("additional_kwargs");
export const ERROR = field("is_error isError error");
export const STATUS = field("status state outcome");
export const EVENT = field("event.name");
export const USAGE = field("usage_metadata usageMetadata usage models_usage");
export const METADATA = field("response_metadata meta");
export const MODEL = field("model model_name modelName model_id modelId");
export const FINISH = field("finish_reason finishReason stop_reason stopReason");

const keysByField: readonly (readonly string[])[] = rows.keys.map(wordList);
const fieldByKey: ReadonlyMap<string, number> = new Map(
  keysByField.flatMap((keys, at) => keys.map((key): [string, number] => [key, at])),
);

/** The values of an object, by the index of their field; a null value counts as absent. */
export type Fields = readonly (JsonValue | undefined)[];

const noFields: Fields = keysByField.map(() => undefined);

/** Reads an object's keys. A private Python field (`_role`) is read if the public one (`role`) is absent. */
export function fieldsOf(object: JsonObject): Fields {
  const values = noFields.slice();
  for (const key in object) {
    const value = object[key];
    if (value === null) continue;
    const at = fieldByKey.get(key.charCodeAt(0) === 95 ? key.slice(1) : key);
    if (at !== undefined) values[at] = values[at] === undefined ? value : preferred(object, at);
  }
  return values;
}

/** Returns the first non-empty synonym of a field in an object. */
function preferred(object: JsonObject, at: number): JsonValue | undefined {
  const keys = keysByField[at] ?? [];
  for (const prefix of ["", "_"])
    for (const key of keys) {
      const value = object[prefix + key] ?? "";
      if (value !== "") return value;
    }
  return "";
}

/** Values of an object under the listed keys, in the order of the list. */
export function valuesInOrder(object: JsonObject, ranks: ReadonlyMap<string, number>): JsonValue[] {
  const found: { readonly rank: number; readonly value: JsonValue }[] = [];
  for (const key in object) {
    const rank = ranks.get(key);
    const value = object[key];
    if (rank !== undefined && value !== undefined && value !== null) found.push({ rank, value });
  }
  if (found.length > 1) found.sort((a, b) => a.rank - b.rank);
  return found.map(({ value }) => value);
}

/** Returns the position of each word in a list. */
export function ranksOf(words: readonly string[]): ReadonlyMap<string, number> {
  return new Map(words.map((word, rank) => [word, rank]));
}
