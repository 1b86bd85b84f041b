import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../model/message.ts";
import type { ModelAnswer, ToolDefinition } from "../../model/model-exchange.ts";

/** Returns a message in the format of `gen_ai.input.messages`. */
export function inputMessage({ role, name, text, calls, results }: Message): JsonObject {
  return {
    role,
    ...(name === null ? {} : { name }),
    parts: [...textParts(text), ...calls.map(callPart), ...results.map(resultPart)],
  };
}

/** Returns an answer in the format of `gen_ai.output.messages`. */
export function outputMessage({ text, reasoning, refusal, calls, finish }: ModelAnswer): JsonObject {
  return {
    role: "assistant",
    parts: [
      ...(reasoning === null ? [] : [{ type: "reasoning", content: reasoning }]),
      ...textParts(text),
      ...(refusal === null ? [] : [{ type: "refusal", refusal }]),
      ...calls.map(callPart),
    ],
    ...(finish === null ? {} : { finish_reason: finish }),
  };
}

/** Returns a tool in the format of `gen_ai.tool.definitions`. */
export function toolDefinition({ name, description, parameters }: ToolDefinition): JsonObject {
  return {
    type: "function",
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

function textParts(text: string | null): JsonObject[] {
  return text === null ? [] : [{ type: "text", content: text }];
}

function callPart({ id, name, arguments: given }: RequestedCall): JsonObject {
  return { type: "tool_call", id, name, ...present("arguments", given) };
}

function resultPart({ callId, name, content, isError }: ReturnedResult): JsonObject {
  return {
    type: "tool_call_response",
    id: callId,
    ...(name === null ? {} : { name }),
    ...present("response", content),
    ...(isError ? { is_error: true } : {}),
  };
}

function present(key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}
