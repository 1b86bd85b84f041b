import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { ProtocolName } from "./protocol.ts";

/** A request for the list of models, or for one model. */
export interface ModelListRequest {
  readonly notation: ProtocolName;
  /** Name of the model; null for the list. */
  readonly model: string | null;
}

const openAiPath = /^(?:\/openai)?(?:\/v1)?\/models(?:\/([^/:]+))?$/;
const geminiPath = /^\/v1(?:beta|alpha)\d?\/models(?:\/([^/:]+))?$/;

/**
 * Parses a request for models; returns null for other requests. The paths of OpenAI and Anthropic are the same, so a header that only
 * Anthropic's clients send decides.
 */
export function modelListRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>>,
): ModelListRequest | null {
  if (method !== "GET") return null;
  const gemini = geminiPath.exec(path);
  if (gemini !== null) return { notation: "gemini-generate", model: nameIn(gemini[1]) };
  const other = openAiPath.exec(path);
  if (other === null) return null;
  const notation = headers["anthropic-version"] === undefined ? "openai-chat" : "anthropic-messages";
  return { notation, model: nameIn(other[1]) };
}

/** Returns the list of models, or one model, in the API format of the request. */
export function writeModels({ notation, model }: ModelListRequest, names: readonly string[]): JsonValue {
  const entry = entries[notation];
  if (model !== null) return entry(model);
  const data = names.map(entry);
  if (notation === "gemini-generate") return { models: data };
  if (notation !== "anthropic-messages") return { object: "list", data };
  return { data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null };
}

const openAiEntry = (id: string): JsonObject => ({ id, object: "model", created: 0, owned_by: "system" });

const entries: Readonly<Record<ProtocolName, (name: string) => JsonObject>> = {
  "openai-chat": openAiEntry,
  "openai-responses": openAiEntry,
  "anthropic-messages": (id) => ({
    type: "model",
    id,
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
  }),
  "gemini-generate": (name) => ({
    name: `models/${name}`,
    baseModelId: name,
    version: "001",
    displayName: name,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  }),
};

function nameIn(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
