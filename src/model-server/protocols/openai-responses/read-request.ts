import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Message } from "../../../model/message.ts";
import type { ToolDefinition } from "../../../model/model-exchange.ts";
import { nameAt, objectAt, objectsAt, parametersOf, textAt } from "../fields.ts";
import { invalidRequest, messageOf, withToolNames } from "../messages.ts";
import type { ModelFailure, ReceivedModelRequest } from "../protocol.ts";
import { joinedInstructions } from "../texts.ts";
import { contentText, mergedAssistants, readItem } from "./read-items.ts";

export function readRequest(path: string, body: JsonValue): ReceivedModelRequest | ModelFailure {
  if (!isObject(body)) return invalidRequest("the body must be a JSON object");
  const items = inputItems(body["input"]);
  if (items === null) return invalidRequest("input: must be a text or a list of objects");
  const isInstruction = ({ role }: JsonObject): boolean => role === "system" || role === "developer";
  const request = {
    model: nameAt(body, "model") ?? deploymentIn(path),
    system: joinedInstructions([
      ...instructionsOf(body["instructions"]),
      ...items.filter(isInstruction).map(({ content }) => contentText(content) ?? ""),
    ]),
    messages: withToolNames(mergedAssistants(messagesOf(items.filter((item) => !isInstruction(item))))),
    tools: objectsAt(body, "tools").map(readTool),
    parameters: parametersOf({
      temperature: body["temperature"],
      top_p: body["top_p"],
      max_tokens: body["max_output_tokens"],
      reasoning: body["reasoning"],
      response_format: objectAt(body, "text")["format"],
      tool_choice: body["tool_choice"],
      parallel_tool_calls: body["parallel_tool_calls"],
    }),
  };
  return {
    protocol: "openai-responses",
    request,
    isStreamed: body["stream"] === true,
    previousResponseId: nameAt(body, "previous_response_id") ?? conversationId(body["conversation"]),
    body,
  };
}

/**
 * Returns the items of an input; a text counts as a user message. Returns null for an input that is neither a
 * text nor a list of objects.
 */
export function inputItems(input: JsonValue | undefined): readonly JsonObject[] | null {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return isArray(input) && input.every(isObject) ? input : null;
}

/** Returns the conversation id: a text, or the `id` of an object. */
export function conversationId(conversation: JsonValue | undefined): string | null {
  if (typeof conversation === "string") return conversation || null;
  return isObject(conversation) ? nameAt(conversation, "id") : null;
}

/** Returns the deployment that Azure's clients write into the path instead of a model name. */
function deploymentIn(path: string): string | null {
  const [, name] = /\/deployments\/([^/]+)\//.exec(path) ?? [];
  return name ?? null;
}

/** Returns the texts of the instructions, which are a text or a list of messages. */
function instructionsOf(instructions: JsonValue | undefined): readonly string[] {
  if (typeof instructions === "string") return [instructions];
  if (!isArray(instructions)) return [];
  return instructions.filter(isObject).flatMap(({ content }) => contentText(content) ?? []);
}

function messagesOf(items: readonly JsonObject[]): readonly Message[] {
  return items.flatMap((item) => readItem(item) ?? messageOf("assistant", {}));
}

function readTool(tool: JsonObject): ToolDefinition {
  return {
    name: nameAt(tool, "name") ?? nameAt(tool, "server_label") ?? nameAt(tool, "type") ?? "",
    description: textAt(tool, "description"),
    parameters: tool["parameters"],
  };
}
