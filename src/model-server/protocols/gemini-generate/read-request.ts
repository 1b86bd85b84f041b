import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../../model/message.ts";
import type { ToolDefinition } from "../../../model/model-exchange.ts";
import { nameAt, parametersOf, textAt } from "../fields.ts";
import { invalidRequest, messageOf, withToolNames } from "../messages.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocol.ts";
import { joined, joinedInstructions, noteOf } from "../texts.ts";
import { decodePercent } from "../../../support/structures/percent-encoding.ts";

const method = /(?:^|\/)(?:models|tunedModels|endpoints)\/([^/:]+):(generateContent|streamGenerateContent)$/;

export function serves(verb: string, path: string): boolean {
  return verb === "POST" && method.test(path);
}

export function readRequest(path: string, body: JsonValue): ReceivedModelRequest | ModelFailure {
  if (!isObject(body)) return invalidRequest("the body must be a JSON object");
  const given = body["contents"];
  const contents = isArray(given) ? given : given === undefined ? [] : [given];
  if (!contents.every(isObject)) return invalidRequest("contents: must be a list of objects");
  const [, name, verb] = method.exec(path) ?? [];
  const config = objectIn(body, "generationConfig");
  const request = {
    model: name === undefined ? nameAt(body, "model") : decodePercent(name),
    system: joinedInstructions(instructionsOf(either(body, "systemInstruction"))),
    messages: withToolNames(contents.flatMap(readContent)),
    tools: listIn(body, "tools").flatMap(readTools),
    parameters: parametersOf({
      temperature: either(config, "temperature"),
      top_p: either(config, "topP"),
      top_k: either(config, "topK"),
      max_tokens: either(config, "maxOutputTokens"),
      stop_sequences: either(config, "stopSequences"),
      seed: either(config, "seed"),
      frequency_penalty: either(config, "frequencyPenalty"),
      presence_penalty: either(config, "presencePenalty"),
      "choice.count": either(config, "candidateCount"),
      response_format: either(config, "responseJsonSchema") ?? either(config, "responseSchema"),
      response_mime_type: either(config, "responseMimeType"),
      thinking: either(config, "thinkingConfig"),
      tool_choice: either(objectIn(body, "toolConfig"), "functionCallingConfig"),
    }),
  };
  return {
    protocol: "gemini-generate",
    request,
    isStreamed: verb === "streamGenerateContent",
    previousResponseId: null,
    body,
  };
}

/** Reads a content, which is a message of Gemini. Tool results in it become a separate message, which comes first. */
function readContent(content: JsonObject): readonly Message[] {
  const parts = partsOf(content);
  const role = content["role"] === "model" ? "assistant" : "user";
  const texts = parts.map(partText).filter((text) => text !== null);
  const calls = parts.map(callIn).filter((call) => call !== null);
  const results = parts.map(resultIn).filter((result) => result !== null);
  const message = messageOf(role, { text: joined(texts), calls });
  if (results.length === 0) return [message];
  const tool = messageOf("tool", { results });
  return texts.length > 0 || calls.length > 0 ? [tool, message] : [tool];
}

function instructionsOf(system: JsonValue | undefined): readonly string[] {
  if (typeof system === "string") return [system];
  return isObject(system) ? partsOf(system).flatMap((part) => partText(part) ?? []) : [];
}

/** Returns the parts of a content. A request may contain a single part instead of a list. */
export function partsOf(content: JsonObject): readonly JsonObject[] {
  const parts = content["parts"];
  if (isObject(parts)) return [parts];
  return isArray(parts) ? parts.filter(isObject) : [];
}

export function callIn(part: JsonObject): RequestedCall | null {
  const call = either(part, "functionCall");
  if (!isObject(call)) return null;
  return { id: nameAt(call, "id"), name: nameAt(call, "name"), arguments: call["args"] ?? {} };
}

function resultIn(part: JsonObject): ReturnedResult | null {
  const result = either(part, "functionResponse");
  if (!isObject(result)) return null;
  const content = result["response"];
  const isError = isObject(content) && "error" in content && !("output" in content || "result" in content);
  return { callId: nameAt(result, "id"), name: nameAt(result, "name"), content, isError };
}

/**
 * Returns the text of a part, or a note for media and for tools that the provider ran. Returns null for the model's thoughts, and for calls
 * and results of the agent's tools.
 */
function partText(part: JsonObject): string | null {
  if (part["thought"] === true) return null;
  const text = textAt(part, "text");
  if (text !== null) return text;
  if (isObject(either(part, "functionCall")) || isObject(either(part, "functionResponse"))) return null;
  const media = either(part, "inlineData") ?? either(part, "fileData");
  if (isObject(media)) return mediaNote(media);
  if (isObject(either(part, "executableCode")) || isObject(either(part, "codeExecutionResult"))) {
    return noteOf("server tool", "code_execution");
  }
  const serverCall = either(part, "toolCall") ?? either(part, "toolResponse");
  return isObject(serverCall) ? noteOf("server tool", textAt(serverCall, "toolType")) : null;
}

function mediaNote(media: JsonObject): string {
  const type = either(media, "mimeType");
  const [kind] = typeof type === "string" ? type.split("/") : [];
  return kind === "image" || kind === "audio" || kind === "video" ? noteOf(kind) : noteOf("file");
}

/** Reads an entry of `tools`: function declarations, or a tool that the provider runs, such as `{ googleSearch: {} }`. */
function readTools(tool: JsonValue): readonly ToolDefinition[] {
  if (!isObject(tool)) return [];
  const declared = listIn(tool, "functionDeclarations")
    .filter(isObject)
    .map((one) => ({
      name: nameAt(one, "name") ?? "",
      description: textAt(one, "description"),
      parameters: either(one, "parametersJsonSchema") ?? one["parameters"],
    }));
  const others = Object.keys(tool)
    .filter((key) => key !== "functionDeclarations" && key !== "function_declarations")
    .map((name) => ({ name, description: null, parameters: undefined }));
  return [...declared, ...others];
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = either(object, key);
  return isObject(value) ? value : {};
}

function listIn(object: JsonObject, key: string): readonly JsonValue[] {
  const value = either(object, key);
  return isArray(value) ? value : [];
}

/** Returns the value at a key. The key may be in camel case or snake case, because the API accepts both. */
function either(object: JsonObject, key: string): JsonValue | undefined {
  return object[key] ?? object[key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
