import { isObject, type JsonObject, type JsonValue, parseJsonText } from "./json.ts";

const idKeys = ["id", "id_", "document_id"];
const sourceKeys = ["source", "url", "uri", "path", "file_path", "file_name", "filename", "title"];

/** Returns the document's id as text, also if it is a number; null if the document has none. */
export function documentId(document: JsonObject): string | null {
  return namesAt(document, idKeys)[0] ?? null;
}

/** Returns the names of a retrieved document, each once: its ids, its sources, then those in its metadata, which can be a JSON text. */
export function documentNames(document: JsonObject): readonly string[] {
  const keys = [...idKeys, ...sourceKeys];
  const metadata = objectIn(document["metadata"]);
  return [
    ...new Set([...namesAt(document, keys), ...(metadata === undefined ? [] : namesAt(metadata, keys))]),
  ];
}

/** Returns the score of a document, which can be a number as text; null if there is no number. */
export function documentScore(document: JsonObject): number | null {
  const value = document["score"] ?? document["similarity"] ?? document["relevance_score"];
  if (typeof value === "string" && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return Number(value);
  return typeof value === "number" ? value : null;
}

function namesAt(object: JsonObject, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const value = object[key];
    if (typeof value === "number") return [String(value)];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}

function objectIn(value: JsonValue | undefined): JsonObject | undefined {
  if (typeof value !== "string" || !value.trimStart().startsWith("{"))
    return isObject(value) ? value : undefined;
  const parsed = parseJsonText(value);
  return parsed.problem === undefined && isObject(parsed.value) ? parsed.value : undefined;
}
