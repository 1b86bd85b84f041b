import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../../model/message.ts";
import type { ToolDefinition } from "../../../model/model-exchange.ts";
import { nameAt, objectAt, objectsAt, parametersOf, textAt } from "../fields.ts";
import { invalidRequest, messageOf, withToolNames } from "../messages.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocol.ts";
import { joined, joinedInstructions, noteOf } from "../texts.ts";

export function readRequest(_path: string, body: JsonValue): ReceivedModelRequest | ModelFailure {
  if (!isObject(body)) return invalidRequest("the body must be a JSON object");
  const given = body["messages"];
  if (!isArray(given) || !given.every(isObject)) {
    return invalidRequest("messages: must be a list of objects");
  }
  const later = given.filter(({ role }) => role === "system").map(({ content }) => content);
  const request = {
    model: nameAt(body, "model"),
    system: joinedInstructions([body["system"], ...later].flatMap(instructionsOf)),
    messages: withToolNames(given.filter(({ role }) => role !== "system").flatMap(readMessage)),
    tools: objectsAt(body, "tools").map(readTool),
    parameters: parametersOf({
      temperature: body["temperature"],
      top_p: body["top_p"],
      top_k: body["top_k"],
      max_tokens: body["max_tokens"],
      stop_sequences: body["stop_sequences"],
      response_format: objectAt(body, "output_config")["format"] ?? body["output_format"],
      tool_choice: body["tool_choice"],
      thinking: body["thinking"],
      service_tier: body["service_tier"],
    }),
  };
  return {
    protocol: "anthropic-messages",
    request,
    isStreamed: body["stream"] === true,
    previousResponseId: null,
    body,
  };
}

/** Returns one instruction for each block of the system prompt. */
function instructionsOf(system: JsonValue | undefined): readonly string[] {
  if (typeof system === "string") return [system];
  if (!isArray(system)) return [];
  return system
    .filter(isObject)
    .map((block) => textAt(block, "text") ?? noteOf("other", textAt(block, "type")));
}

/** Reads a message. Tool results in it become a separate message, which comes first. */
function readMessage({ role, content }: JsonObject): readonly Message[] {
  const speaker = role === "assistant" ? "assistant" : "user";
  if (!isArray(content)) return [messageOf(speaker, { text: typeof content === "string" ? content : null })];
  const blocks = content.filter(isObject);
  const texts = blocks.map(blockText).filter((text) => text !== null);
  const results = blocks.filter(({ type }) => type === "tool_result").map(readResult);
  const calls = blocks.filter(({ type }) => type === "tool_use").map(readCall);
  const message = messageOf(speaker, { text: joined(texts), calls });
  if (results.length === 0) return [message];
  const tool = messageOf("tool", { results });
  return texts.length > 0 || calls.length > 0 ? [tool, message] : [tool];
}

export function readCall(block: JsonObject): RequestedCall {
  return { id: nameAt(block, "id"), name: nameAt(block, "name"), arguments: block["input"] };
}

function readResult(block: JsonObject): ReturnedResult {
  const { content } = block;
  return {
    callId: nameAt(block, "tool_use_id"),
    name: null,
    content: isArray(content)
      ? (joined(content.filter(isObject).map((part) => blockText(part) ?? "")) ?? "")
      : (content ?? ""),
    isError: block["is_error"] === true,
  };
}

const notes: Readonly<Record<string, string>> = {
  image: noteOf("image"),
  document: noteOf("file"),
  container_upload: noteOf("file"),
};

/**
 * Returns the text of a block, or a note for media and for tools that the provider ran. Returns null for the model's thoughts, and for
 * calls and results of the agent's tools.
 */
function blockText(block: JsonObject): string | null {
  const type = textAt(block, "type") ?? "";
  if (type === "tool_use" || type === "tool_result" || type.endsWith("thinking")) return null;
  const text = textAt(block, "text");
  if (text !== null) return text;
  if (type === "document") return noteOf("file", textAt(block, "title"));
  if (/^(?:server|mcp)_tool_use$|_tool_result$/.test(type)) {
    return noteOf("server tool", nameAt(block, "name") ?? type.replace(/_tool_result$/, ""));
  }
  return notes[type] ?? noteOf("other", type);
}

/** If the provider runs the tool, its definition has only a type and a name. */
function readTool(tool: JsonObject): ToolDefinition {
  return {
    name: nameAt(tool, "name") ?? nameAt(tool, "type") ?? "",
    description: textAt(tool, "description"),
    parameters: tool["input_schema"],
  };
}
