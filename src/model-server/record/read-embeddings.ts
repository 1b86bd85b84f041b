import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ModelRequest } from "../../model/model-exchange.ts";
import { countAt, nameAt, objectAt, objectsAt } from "../protocols/fields.ts";
import { readOpenAiFailure } from "../protocols/openai-failure.ts";
import type { RecordedCall } from "./call-span.ts";

/** Returns what is recorded of a request for embeddings: not its texts. */
export function readEmbeddingRequest(body: JsonValue | undefined): ModelRequest | null {
  if (body === undefined || !isObject(body) || !("input" in body)) return null;
  const format = nameAt(body, "encoding_format");
  return {
    model: nameAt(body, "model"),
    system: null,
    messages: null,
    tools: null,
    parameters: format === null ? {} : { encoding_formats: [format] },
  };
}

type Answered = Pick<RecordedCall, "answer" | "error" | "embedded">;

/** Returns what is recorded of an answer with embeddings: tokens, model and number of dimensions. */
export function readEmbeddingAnswer(status: number, body: JsonValue | undefined): Answered {
  if (status >= 400) {
    const { message } = readOpenAiFailure(status, body ?? null);
    return { answer: null, error: { type: String(status), message } };
  }
  if (body === undefined || !isObject(body)) return { answer: null, error: null };
  const tokens = countAt(objectAt(body, "usage"), "prompt_tokens");
  const model = nameAt(body, "model");
  const dimensions = dimensionsOf(objectsAt(body, "data")[0] ?? {});
  const embedded = {
    ...(model === null ? {} : { "gen_ai.response.model": model }),
    ...(tokens === null ? {} : { "gen_ai.usage.input_tokens": tokens }),
    ...(dimensions === null ? {} : { "gen_ai.embeddings.dimension.count": dimensions }),
  };
  return { answer: null, error: null, embedded };
}

/** Returns the number of dimensions of an embedding: a list of numbers, or base64 with four bytes for each number. */
function dimensionsOf({ embedding }: JsonObject): number | null {
  if (isArray(embedding)) return embedding.length;
  return typeof embedding === "string" ? Math.floor((embedding.replace(/=+$/, "").length * 3) / 4 / 4) : null;
}
