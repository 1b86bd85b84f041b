import { isArray, isObject, type JsonObject, type JsonValue, parseJsonText } from "../../../model/json.ts";
import type { AgentRun, RetrievedDocument, ToolCall } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";

type RetrievalBlock = NonNullable<CompiledQuery["retrieval"]>;

/** Result of one retrieval. */
export interface Retrieved {
  readonly spanId: string | null;
  /** Undefined: not in the telemetry. */
  readonly documents: readonly RetrievedDocument[] | undefined;
}

/** The run's retrievals: spans of retrievers, or the results of the tool that retrieves. */
export function retrievedBy(run: AgentRun, block: RetrievalBlock): readonly Retrieved[] {
  const { tool } = block;
  if (tool === undefined) return run.retrievals;
  return run.tools
    .filter((call) => call.name === tool && call.executed !== false)
    .map((call) => ({ spanId: call.spanId, documents: documentsOf(call, block) }));
}

/** Markers that a tool writes when it found nothing. */
const usualMarkers = ["no results", "no documents", "nothing found", "not found"];

function documentsOf(
  { result }: ToolCall,
  { result_format = "auto", empty_markers = usualMarkers }: RetrievalBlock,
): readonly RetrievedDocument[] | undefined {
  if (result === undefined) return undefined;
  const parsed =
    typeof result === "string" && result_format !== "text" ? parseJsonText(result) : { value: result };
  if (parsed.problem !== undefined && parsed.problem !== "syntax") return undefined;
  const opened = parsed.problem === undefined ? parsed.value : result;
  if (typeof opened !== "string") return listOf(opened).map(documentOf);
  if (result_format === "json") return undefined;
  const text = opened.trim();
  const folded = text.toLowerCase();
  const empty = text === "" || empty_markers.some((marker) => folded.includes(marker.toLowerCase()));
  return empty ? [] : [{ id: null, content: text, score: null }];
}

const listKeys = ["documents", "results", "items", "hits", "matches", "data"];

function listOf(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) return value;
  if (!isObject(value)) return value === null || value === false ? [] : [value];
  for (const key of listKeys) {
    const list = value[key];
    if (isArray(list)) return list;
  }
  return Object.keys(value).length === 0 ? [] : [value];
}

function documentOf(value: JsonValue): RetrievedDocument {
  if (!isObject(value)) return { id: null, content: textOf(value), score: null };
  return {
    id: firstText(value, ["id", "document_id", "source", "url", "title"]) ?? sourceInMetadata(value),
    content: firstText(value, ["content", "text", "page_content", "snippet"]) ?? JSON.stringify(value),
    score: typeof value["score"] === "number" ? value["score"] : null,
  };
}

function sourceInMetadata({ metadata }: JsonObject): string | null {
  return isObject(metadata) ? firstText(metadata, ["id", "source", "url", "title"]) : null;
}

function firstText(value: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const found = value[key];
    if (typeof found === "string") return found;
  }
  return null;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
