import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { MessageRole } from "../../model/message.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";
import * as field from "./fields.ts";
import { plainName } from "./names.ts";

/**
 * `run`: a tool call and its result in one part, because the provider or a framework ran the tool. `none`: parts without text for the
 * answer, such as thoughts, files and images.
 */
export type PartKind = "text" | "call" | "result" | "run" | "none";

const media = wordList(`
  image imageurl file blob uri audio inputimage inputfile document video media
`);

const kinds: ReadonlyMap<string, PartKind> = tableOf<PartKind>({
  text: `
    text inputtext outputtext textcontent textblock textpart markdown refusal
  `,
  call: `
    toolcall functioncall tooluse toolrequest customtoolcall toolcallpart servertooluse mcptooluse
    servertoolcall responsefunctiontoolcall toolcallblock toolusecontent builtintoolcall
    chatcompletionmessagetoolcall toolselection functioncallcontent localshellcall shellcall
    computercall invalidtoolcall applypatchcall
  `,
  result: `
    toolcallresponse toolresult functioncalloutput functionresult toolresponse functioncallresult
    customtoolcalloutput functionresponse toolcallresult functionexecutionresult builtintoolreturn
    servertoolcallresponse servertoolresult toolreturn retryprompt functionresultcontent
    toolcalloutput toolerror shellcalloutput localshellcalloutput computercalloutput
    computercallresult applypatchcalloutput mcptoolresult
  `,
  run: `
    mcpcall websearchcall filesearchcall codeinterpretercall imagegenerationcall dynamictool
    toolinvocation
  `,
  none: `reasoning thinking redactedthinking thought stepstart ${media.join(" ")}`,
});

const roles: ReadonlyMap<string, MessageRole> = tableOf<MessageRole>({
  user: "user human humanmessage humanmessagechunk usermessage customer modelrequest",
  assistant: `
    assistant ai model aimessage aimessagechunk assistantmessage bot chatbot modelresponse agent
    toolcall choice
  `,
  system: "system developer systemmessage instructions chatcompletiondevelopermessage",
  tool: `
    tool function toolmessage toolresponse toolresult functionmessage functionexecutionresultmessage
    toolcallresponse toolexecutionresult
  `,
});

function tableOf<T extends string>(spellings: Readonly<Record<T, string>>): Map<string, T> {
  const table = new Map<string, T>();
  for (const meaning in spellings)
    for (const spelling of wordList(spellings[meaning])) table.set(spelling, meaning);
  return table;
}

/** Returns the role for a name such as `MessageRole.USER`, `human` or `model`. */
export function roleNamed(name: string): MessageRole | undefined {
  return roles.get(name) ?? roleSpelled(name) ?? undefined;
}

const roleSpelled = remembered((name) => roles.get(plainName(name.slice(name.lastIndexOf(".") + 1))) ?? null);

const eventName = /^gen_ai\.(\w+)(?:\.message)?$/;

/**
 * Returns the role of a message object: by `role`, by LangChain's `type` or class, by the class of a printed object, or by an event name.
 * Undefined for any other name, such as `unknown`.
 */
export function roleOf(object: JsonObject, fields: field.Fields): MessageRole | undefined {
  const role = fields[field.ROLE];
  if (typeof role === "string" && role !== "") return roleNamed(role);
  const source = fields[field.SPEAKER];
  if (typeof source === "string" && source !== "" && "models_usage" in object)
    return roleOfSource(source, fields[field.CONTENT]);
  const event = fields[field.EVENT];
  if (typeof event === "string") return roleNamed(eventName.exec(event)?.[1] ?? "");
  const type = fields[field.TYPE];
  const named = typeof type === "string" ? roleNamed(type) : undefined;
  return (
    named ??
    roleNamed(lastOf(fields[field.ID]) ?? "") ??
    (type === undefined ? roleByKeys(fields) : undefined)
  );
}

/**
 * Returns the role of a LangChain message that was printed without its type: a tool message has a call id, a model message has metadata.
 * Undefined for any other message.
 */
function roleByKeys(fields: field.Fields): MessageRole | undefined {
  const content = fields[field.CONTENT];
  if (content !== undefined && fields[field.CALL_ID] !== undefined) return "tool";
  if ((typeof content !== "string" && !isArray(content)) || typeof fields[field.ID] !== "string")
    return undefined;
  return fields[field.USAGE] !== undefined || fields[field.CALLS] !== undefined ? "assistant" : undefined;
}

/**
 * Returns the role of AutoGen's messages and events, whose `source` is the author's name. Tool results have an agent as `source`, but the
 * role is `tool`.
 */
function roleOfSource(source: string, content: JsonValue | undefined): MessageRole {
  if (source === "user") return "user";
  const first = isArray(content) ? content[0] : undefined;
  return isObject(first) && "call_id" in first && "is_error" in first ? "tool" : "assistant";
}

/** Returns the class name in LangChain's serialised constructors: `AIMessage` for `id: ["langchain_core", "messages", "AIMessage"]`. */
export function lastOf(id: JsonValue | undefined): string | undefined {
  const last = isArray(id) ? id[id.length - 1] : undefined;
  return typeof last === "string" ? last : undefined;
}

/** Returns the kind of a part, by its type, otherwise by its fields. */
export function kindOf(object: JsonObject, fields: field.Fields): PartKind {
  const type = fields[field.TYPE];
  const isTyped = typeof type === "string" && type !== "";
  const known = isTyped ? kindNamed(type) : null;
  if (known !== null) return known;
  // Gemini marks a text part with reasoning by the flag `thought`.
  if (object["thought"] === true) return "none";
  if (isObject(fields[field.CALL])) return "call";
  if (isObject(fields[field.RESULT])) return "result";
  if (isTyped && type.startsWith("tool-") && fields[field.STATUS] !== undefined) return "run";
  if (typeof fields[field.TEXT] === "string") return "text";
  const called = fields[field.FUNCTION];
  if (isObject(called) && "arguments" in called) return "call";
  if (typeof fields[field.NAME] === "string" && fields[field.ARGUMENTS] !== undefined) return "call";
  if (isTyped) return "none";
  if (fields[field.CALL_ID] !== undefined && "is_error" in object) return "result";
  return typeof fields[field.CONTENT] === "string" ? "text" : "none";
}

/** Anthropic has a separate result type for each tool that it runs, for example `web_search_tool_result`. */
const kindNamed = remembered((type): PartKind | null => {
  const name = plainName(type);
  return kinds.get(name) ?? (name.endsWith("toolresult") ? "result" : null);
});

/** Whether a part is a file, an image or a recording, by its type. */
export function isMedia(fields: field.Fields): boolean {
  const type = fields[field.TYPE];
  return typeof type === "string" && media.includes(plainName(type));
}

/** Whether a request's name is that of a tool that the provider runs within the response, such as `web_search_call`. */
export function isProviderRun(name: string | null): boolean {
  return name !== null && kindNamed(name) === "run";
}
