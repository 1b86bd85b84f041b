import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { countAt, nameAt } from "./fields.ts";
import { invalidRequest } from "./messages.ts";
import type { ModelFailure } from "./protocol.ts";

export function servesEmbeddings(method: string, path: string): boolean {
  return method === "POST" && /(?:^|\/)embeddings$/.test(path);
}

const USUAL_DIMENSIONS = 1536;
const MOST_DIMENSIONS = 4096;
const MOST_INPUTS = 2048;
/** Maximum number of characters in all texts of a request. No provider's model accepts more. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Memory in bytes for one dimension of an embedding: `NUMBER` if the answer contains numbers, `BASE64` if it contains base64. Includes the
 * computed value.
 */
const NUMBER = 32;
const BASE64 = 14;

/** Returns the maximum memory that the answer needs, in bytes; 0 if the request is invalid. */
export function embeddingsLength(body: JsonValue): number {
  if (!isObject(body)) return 0;
  const { input, encoding_format: format } = body;
  const dimensions = countAt(body, "dimensions") ?? USUAL_DIMENSIONS;
  const count = isArray(input) && typeof input[0] !== "number" ? input.length : 1;
  const isValid = count <= MOST_INPUTS && dimensions >= 1 && dimensions <= MOST_DIMENSIONS;
  return isValid ? count * dimensions * (format === "base64" ? BASE64 : NUMBER) : 0;
}

/** Answers a request for embeddings in OpenAI's format. Equal texts get equal vectors. */
export function answerEmbeddings(body: JsonValue): JsonValue | ModelFailure {
  if (!isObject(body)) return invalidRequest("the body must be a JSON object");
  const inputs = inputsOf(body["input"]);
  if (inputs === null) return invalidRequest("input: must be a text, a list of texts, or tokens");
  if (inputs.length > MOST_INPUTS) return invalidRequest(`input: at most ${MOST_INPUTS} texts are allowed`);
  const characters = inputs.reduce((sum, input) => sum + input.length, 0);
  if (characters > MOST_CHARACTERS)
    return {
      ...invalidRequest(`input: at most ${MOST_CHARACTERS} characters are allowed in all texts together`),
      status: 413,
      kind: "too_large",
    };
  const dimensions = countAt(body, "dimensions") ?? USUAL_DIMENSIONS;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
    return invalidRequest(`dimensions: must be between 1 and ${MOST_DIMENSIONS}`);
  }
  const inBase64 = body["encoding_format"] === "base64";
  const tokens = inputs.reduce((sum, input) => sum + Math.ceil(input.length / 4), 0);
  return {
    object: "list",
    data: inputs.map((input, index) => {
      const vector = vectorOf(input, dimensions);
      return { object: "embedding", index, embedding: inBase64 ? base64Of(vector) : [...vector] };
    }),
    model: nameAt(body, "model") ?? "",
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  } satisfies JsonObject;
}

/** Returns the inputs: one text, several texts, a list of tokens, or several such lists. */
function inputsOf(input: JsonValue | undefined): readonly string[] | null {
  if (typeof input === "string") return [input];
  if (!isArray(input) || input.length === 0) return null;
  if (input.every((one) => typeof one === "number")) return [JSON.stringify(input)];
  return input.every((one) => typeof one === "string" || isArray(one))
    ? input.map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    : null;
}

/**
 * Returns a unit vector for a text. The hash of each word selects positions of the vector, and whether the value there is increased or
 * decreased. So texts with common words have similar vectors.
 */
function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    let hash = hashOf(word);
    for (let repeat = 0; repeat < 8; repeat++) {
      const at = hash % dimensions;
      vector[at] = (vector[at] ?? 0) + ((hash >>> 16) % 2 === 0 ? 1 : -1);
      hash = nextHash(hash);
    }
  }
  const length = Math.hypot(...norms(vector));
  if (length === 0) {
    vector[0] = 1;
    return vector;
  }
  return vector.map((value) => value / length);
}

/** Computes the norm only from the values that are not zero, because most values are zero. */
function norms(vector: Float32Array): number[] {
  return [...vector].filter((value) => value !== 0);
}

/** Returns the 32-bit FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/** Returns the next hash of a sequence, computed with the finalizer of MurmurHash3. */
function nextHash(hash: number): number {
  let next = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  next = Math.imul(next ^ (next >>> 13), 0xc2b2ae35);
  return (next ^ (next >>> 16)) >>> 0;
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString("base64");
}
