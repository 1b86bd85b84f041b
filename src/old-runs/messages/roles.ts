import type { JsonObject, JsonValue } from "../../model/json.ts";
import { isArray, isObject } from "../../model/json.ts";
import type { MessageRole } from "../../model/message.ts";
import { classKey } from "../text/python-repr.ts";
import { plainName, textOf } from "./pick.ts";
import { wordList } from "../../support/structures/word-list.ts";

const roles: ReadonlyMap<string, MessageRole> = new Map<string, MessageRole>([
  ...names("user", "user human humanmessage usermessage customer modelrequest"),
  ...names(
    "assistant",
    `
    assistant ai model aimessage aimessagechunk assistantmessage bot chatbot modelresponse agent
    toolcall
  `,
  ),
  ...names("system", "system developer systemmessage instructions chatcompletiondevelopermessage"),
  ...names(
    "tool",
    `
    tool function toolmessage toolresponse toolresult functionmessage functionexecutionresultmessage
    toolcallresponse
  `,
  ),
]);

function names(role: MessageRole, spellings: string): [string, MessageRole][] {
  return wordList(spellings).map((spelling) => [spelling, role]);
}

/** `MessageRole.USER`, `human`, `model`: whose words these are. */
export function roleNamed(name: string): MessageRole | undefined {
  return roles.get(name) ?? roles.get(plainName(name.slice(name.lastIndexOf(".") + 1)));
}

/**
 * The role that a message object gives itself: by `role`, LangChain's `type` or class, or a printed object's class. Undefined for a
 * word of the producer's own, `unknown` among them.
 */
export function roleOf(object: JsonObject): MessageRole | undefined {
  const role = textOf(object["role"] ?? object["_role"]);
  if (role !== undefined) return roleNamed(role);
  const source = "models_usage" in object ? textOf(object["source"]) : undefined;
  if (source !== undefined) return roleOfSource(source, object["content"]);
  const type = textOf(object["type"]) ?? lastOf(object["id"]) ?? textOf(object[classKey]);
  return type === undefined ? undefined : roleNamed(type);
}

/** AutoGen's messages and events say who wrote them; what tools returned comes in the agent's name. */
function roleOfSource(source: string, content: JsonValue | undefined): MessageRole {
  if (source === "user") return "user";
  const first = isArray(content) ? content[0] : undefined;
  return isObject(first) && "call_id" in first && "is_error" in first ? "tool" : "assistant";
}

/** The class in LangChain's serialised constructors: `id: ["langchain_core", "messages", "AIMessage"]`. */
export function lastOf(id: JsonValue | undefined): string | undefined {
  const last = isArray(id) ? id[id.length - 1] : undefined;
  return typeof last === "string" ? last : undefined;
}
