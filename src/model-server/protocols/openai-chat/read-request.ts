import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Message, RequestedCall } from "../../../model/message.ts";
import type { ToolDefinition } from "../../../model/model-exchange.ts";
import { nameAt, objectAt, objectsAt, parametersOf, stopSequences, textAt } from "../fields.ts";
import { invalidRequest, messageOf, readArguments, withToolNames } from "../messages.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocol.ts";
import { joined, joinedInstructions, noteOf } from "../texts.ts";

export function readRequest(path: string, body: JsonValue): ReceivedModelRequest | ModelFailure {
  if (!isObject(body)) return invalidRequest("the body must be a JSON object");
  const given = body["messages"];
  if (!isArray(given) || !given.every(isObject)) {
    return invalidRequest("messages: must be a list of objects");
  }
  const isInstruction = ({ role }: JsonObject): boolean => role === "system" || role === "developer";
  const request = {
    model: nameAt(body, "model") ?? deploymentIn(path),
    system: joinedInstructions(given.filter(isInstruction).map(({ content }) => contentText(content) ?? "")),
    messages: withToolNames(given.filter((one) => !isInstruction(one)).map(readMessage)),
    tools: toolsOf(body),
    parameters: parametersOf({
      temperature: body["temperature"],
      top_p: body["top_p"],
      max_tokens: body["max_completion_tokens"] ?? body["max_tokens"],
      stop_sequences: stopSequences(body["stop"]),
      seed: body["seed"],
      service_tier: body["service_tier"],
      frequency_penalty: body["frequency_penalty"],
      presence_penalty: body["presence_penalty"],
      "choice.count": body["n"],
      reasoning_effort: body["reasoning_effort"],
      response_format: body["response_format"],
      tool_choice: body["tool_choice"] ?? body["function_call"],
      parallel_tool_calls: body["parallel_tool_calls"],
    }),
  };
  return {
    protocol: "openai-chat",
    request,
    isStreamed: body["stream"] === true,
    previousResponseId: null,
    body,
  };
}

/** Returns the deployment that Azure's clients write into the path instead of a model name. */
function deploymentIn(path: string): string | null {
  const [, name] = /\/deployments\/([^/]+)\//.exec(path) ?? [];
  return name ?? null;
}

function readMessage(message: JsonObject): Message {
  const { role, content } = message;
  const name = nameAt(message, "name");
  if (role === "tool" || role === "function") {
    const text = contentText(content) ?? "";
    const callId = nameAt(message, "tool_call_id");
    return messageOf("tool", {
      results: [{ callId, name: role === "function" ? name : null, content: text, isError: false }],
    });
  }
  if (role !== "assistant") return messageOf("user", { name, text: contentText(content) });
  const text = contentText(content) ?? textAt(message, "refusal");
  return messageOf("assistant", { name, text, calls: readCalls(message) });
}

/** Returns the tool calls of an assistant's message, including the deprecated `function_call`. */
export function readCalls(message: JsonObject): readonly RequestedCall[] {
  const legacy = message["function_call"];
  return [
    ...objectsAt(message, "tool_calls").map(readCall),
    ...(isObject(legacy)
      ? [{ id: null, name: nameAt(legacy, "name"), arguments: readArguments(textAt(legacy, "arguments")) }]
      : []),
  ];
}

function readCall(call: JsonObject): RequestedCall {
  const id = nameAt(call, "id");
  if (isObject(call["custom"])) {
    const custom = objectAt(call, "custom");
    return { id, name: nameAt(custom, "name"), arguments: textAt(custom, "input") ?? undefined };
  }
  const called = objectAt(call, "function");
  return { id, name: nameAt(called, "name"), arguments: readArguments(textAt(called, "arguments")) };
}

function contentText(content: JsonValue | undefined): string | null {
  if (typeof content === "string") return content;
  if (!isArray(content)) return null;
  return joined(content.filter(isObject).map(partText));
}

function partText(part: JsonObject): string {
  const text = textAt(part, "text") ?? textAt(part, "refusal");
  if (text !== null) return text;
  const type = textAt(part, "type") ?? "";
  if (type === "image_url" || type === "image") return noteOf("image");
  if (type === "input_audio") return noteOf("audio");
  if (type === "video_url") return noteOf("video");
  if (type === "file") return noteOf("file", textAt(objectAt(part, "file"), "filename"));
  return noteOf("other", type);
}

function toolsOf(body: JsonObject): readonly ToolDefinition[] {
  return [
    ...objectsAt(body, "tools").map((tool) => {
      const inner = objectAt(tool, tool["type"] === "custom" ? "custom" : "function");
      return definitionOf(inner, textAt(tool, "type"));
    }),
    ...objectsAt(body, "functions").map((inner) => definitionOf(inner, null)),
  ];
}

/** Returns the definition of a tool. For a tool that the provider runs, the request contains only a type, which becomes the name. */
function definitionOf(inner: JsonObject, type: string | null): ToolDefinition {
  return {
    name: nameAt(inner, "name") ?? type ?? "",
    description: textAt(inner, "description"),
    parameters: inner["parameters"],
  };
}
