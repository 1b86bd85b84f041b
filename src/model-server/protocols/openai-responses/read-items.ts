import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { Message, RequestedCall } from "../../../model/message.ts";
import { nameAt, textAt } from "../fields.ts";
import { messageOf, readArguments } from "../messages.ts";
import { joined, noteOf } from "../texts.ts";

/** Converts an item of an input or output into a message; null for items that are not messages, such as the model's thoughts. */
export function readItem(item: JsonObject): Message | null {
  const type = textAt(item, "type") ?? "message";
  if (type === "message") {
    const role = item["role"] === "assistant" ? "assistant" : "user";
    return messageOf(role, { text: contentText(item["content"]) });
  }
  if (type === "reasoning" || type === "compaction") return null;
  const call = callIn(item);
  if (call !== null) return messageOf("assistant", { calls: [call] });
  if (type.endsWith("_call_output")) return resultMessage(item);
  if (type === "item_reference") {
    return messageOf("assistant", { text: noteOf("reference", nameAt(item, "id")) });
  }
  return messageOf("assistant", { text: noteOf("server tool", type.replace(/_call$/, "")) });
}

/** Returns the tool call of an item if the client has to run it; otherwise null. */
export function callIn(item: JsonObject): RequestedCall | null {
  const type = textAt(item, "type") ?? "";
  const id = nameAt(item, "call_id");
  if (type === "function_call") {
    return { id, name: nameAt(item, "name"), arguments: readArguments(textAt(item, "arguments")) };
  }
  if (type === "custom_tool_call") {
    return { id, name: nameAt(item, "name"), arguments: textAt(item, "input") ?? undefined };
  }
  // Calls of some tools have item types of their own: `local_shell_call`, `shell_call`, `computer_call` and `apply_patch_call`.
  if (id === null || !type.endsWith("_call")) return null;
  return {
    id,
    name: type.replace(/_call$/, ""),
    arguments: item["action"] ?? item["operation"] ?? item["actions"],
  };
}

function resultMessage(item: JsonObject): Message {
  const output = item["output"];
  const content = isArray(output) ? (contentText(output) ?? "") : (output ?? "");
  const isError = item["status"] === "failed";
  return messageOf("tool", {
    results: [{ callId: nameAt(item, "call_id"), name: null, content, isError }],
  });
}

export function contentText(content: JsonValue | undefined): string | null {
  if (typeof content === "string") return content;
  if (!isArray(content)) return null;
  return joined(content.filter(isObject).map(partText));
}

function partText(part: JsonObject): string {
  const text = textAt(part, "text") ?? textAt(part, "refusal");
  if (text !== null) return text;
  const type = textAt(part, "type") ?? "";
  if (type === "input_image" || type === "computer_screenshot") return noteOf("image");
  if (type === "input_audio") return noteOf("audio");
  if (type === "input_file") return noteOf("file", textAt(part, "filename"));
  return noteOf("other", type);
}

/** Merges consecutive assistant messages, because the text and the tool calls of one answer are separate items. */
export function mergedAssistants(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (message.role !== "assistant" || before?.role !== "assistant") merged.push(message);
    else merged.splice(-1, 1, together(before, message));
  }
  return merged;
}

function together(a: Message, b: Message): Message {
  const texts = [a.text, b.text].filter((text) => text !== null);
  return { ...a, text: joined(texts), calls: [...a.calls, ...b.calls] };
}
