import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { F } from "./fields.ts";

/**
 * Returns the words of a name in lower case: `ai usage prompt tokens` for `ai.usage.promptTokens`. Numbers become `#`.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => (/^\d+$/.test(word) ? "#" : word));
}

/** The field that an undeclared attribute seems to contain, inferred from the words of its name. */
export interface NameMeaning {
  /** Index of a field, or `KIND`. */
  readonly field: number;
  /** Prefix of an indexed key; null for other names. */
  readonly tree: string | null;
}

/** Marks an attribute whose value may name the kind of span. */
export const KIND = -1;
const kind: NameMeaning = { field: KIND, tree: null };
const LONGEST_NAME = 200;

export const meaningOfName = remembered(
  (name): NameMeaning | null => (name.length > LONGEST_NAME ? null : infer(name)),
  5000,
);

/** Matches words that suggest a field. Names without such a word are excluded before the slower split into words. */
const anyWord =
  /token|usage|metric|model|provider|vendor|session|conversation|thread|chat|agent|assistant|handoff|workflow|chain|graph|flow|crew|pipeline|entity|param|option|config|kwargs|reason|tool|func|action|arg|definition|succe|state|status|level|severity|error|message|histor|content|prompt|instruction|system|document|chunk|input|output|query|question|request|task|goal|payload|completion|response|answer|result|repl|generat|choice|kind|type|categor|op|role/i;

const set = (words: string): ReadonlySet<string> => new Set(wordList(words));
const kinds = set("kind type subtype category operation op role");
const noKinds = set("mime content media error exception output input tool file event");
const notTokens = set(
  "max limit budget estimated partial cost price per rate second window remaining ratio saved",
);
const uncached = set("uncached miss misses");
const treeEnds = set("messages message prompt prompts completion completions choices history input output");
const outputSide = set("output outputs completion completions response responses choices result generated");
const inputs = set("input inputs prompt query question request task goal payload");
const outputs = set("output outputs completion response answer result reply generation completions");
const aboutContent = set(
  `cost price spend size length count bytes hash hide hidden mime format enabled allowed headers timeout version schema
  mode config settings env expected`,
);
const requests = set("invocation model llm request generation completion chat");
const holders = set("workflow chain graph flow crew pipeline entity");
const toolNouns = set("tool function toolcall");
const sessions = set("session conversation thread chat");

function infer(name: string): NameMeaning | null {
  if (!anyWord.test(name)) return null;
  const words = wordsOf(name);
  const index = words.indexOf("#");
  if (index > 0) return inTree(name, words.slice(0, index));
  const last = words[words.length - 1] ?? "";
  const before = words[words.length - 2] ?? "";
  const field =
    ofTokens(words, last) ??
    ofIdentity(words, before, last) ??
    ofCall(words, before, last) ??
    ofContent(words, before, last);
  if (field !== undefined) return { field: F[field], tree: null };
  const isKind = kinds.has(last) || (last === "name" && (before === "operation" || before === "op"));
  return isKind && !noKinds.has(before) ? kind : null;
}

function any(words: readonly string[], of: ReadonlySet<string>): boolean {
  return words.some((word) => of.has(word));
}

function has(words: readonly string[], ...some: readonly string[]): boolean {
  return some.some((word) => words.includes(word));
}

function inTree(name: string, words: readonly string[]): NameMeaning | null {
  const tree = name.slice(0, name.search(/[^A-Za-z0-9]\d+(?:[^A-Za-z0-9]|$)/));
  if (tree === "" || name[tree.length] !== ".") return null;
  const last = words[words.length - 1] ?? "";
  const field: Field | undefined = has(words, "tools", "functions")
    ? "toolDefinitions"
    : words.slice(-2).join("") === "toolcalls" || last === "toolcalls"
      ? "outputCalls"
      : has(words, "documents", "chunks")
        ? "documents"
        : !treeEnds.has(last)
          ? undefined
          : any(words, outputSide)
            ? "outputMessages"
            : "inputMessages";
  return field === undefined ? null : { field: F[field], tree };
}

function ofTokens(words: readonly string[], last: string): Field | undefined {
  if (last === "metrics") return "usage";
  if (!has(words, "token", "tokens", "tokencount", "usage")) return undefined;
  if (any(words, notTokens) || any(words, uncached) || /\bno[nt]? cached?\b/.test(words.join(" ")))
    return undefined;
  if (has(words, "cached", "cache")) {
    if (has(words, "write", "written", "creation", "created")) return "cacheWriteTokens";
    return has(words, "cached", "read", "hit", "hits") ? "cachedTokens" : undefined;
  }
  if (has(words, "reasoning", "thoughts", "thinking", "thought")) return "reasoningTokens";
  if (has(words, "input", "prompt")) return "inputTokens";
  if (has(words, "output", "completion", "generated", "candidates")) return "outputTokens";
  if (has(words, "total")) return "totalTokens";
  return has([last], "usage", "details", "tokens", "metadata") ? "usage" : undefined;
}

function ofIdentity(words: readonly string[], before: string, last: string): Field | undefined {
  if (last === "model" || (before === "model" && has([last], "name", "label", "id", "version")))
    return modelField(words);
  if (last === "modelid" || last === "modelname") return modelField(words);
  if (last === "provider" || last === "vendor") return "provider";
  if (has([before], "response", "completion") && last === "id") return "responseId";
  if (sessions.has(before) && last === "id") return "conversation";
  if (has([last], "sessionid", "conversationid", "threadid")) return "conversation";
  // If the word before `name` is another noun, the name is not the agent's: `agent.workflow.name` names a workflow, `agent.tool.name` a
  // tool.
  const isOther = holders.has(before) || toolNouns.has(before);
  if (has(words, "agent", "assistant") && last === "name" && !isOther) {
    if (has(words, "target", "to", "next", "destination")) return "handoffTo";
    return has(words, "from", "source", "caller", "parent") ? "handoffFrom" : "agent";
  }
  if (before === "handoff" && has([last], "to", "target")) return "handoffTo";
  if (before === "handoff" && has([last], "from", "source")) return "handoffFrom";
  if (before === "to" && last === "agent") return "handoffTo";
  if (before === "from" && last === "agent") return "handoffFrom";
  if ((last === "agent" && before !== "user") || last === "agentname") return "agent";
  return holders.has(before) && last === "name" ? "workflow" : undefined;
}

function modelField(words: readonly string[]): Field {
  if (has(words, "response", "responded", "served", "actual")) return "responseModel";
  return has(words, "request", "requested") ? "requestModel" : "model";
}

function ofCall(words: readonly string[], before: string, last: string): Field | undefined {
  if (has([last], "parameters", "params", "options", "config", "kwargs") && any(words, requests))
    return "parameters";
  if (has([last], "reason", "reasons") && has([before], "finish", "stop")) return "finish";
  if (last === "finishreason" || last === "stopreason") return "finish";
  // In `code.function.name`, the function is a place in the source code. In `kiln_code.tool_call.args`, `code` is a part of a program's
  // name.
  const isPlace = words[words.indexOf("function") - 1] === "code";
  const isTool = has(words, "tool", "function", "toolcall", "action") && !isPlace;
  if ((isTool && last === "name") || last === "toolname") return "tool";
  if (isTool && last === "id" && has(words, "call", "use", "toolcall", "invocation", "tool")) return "callId";
  if (has([last], "arguments", "args", "parameters", "params", "kwargs"))
    return isTool || words.length < 3 ? "arguments" : undefined;
  if (isTool && has([last], "input", "inputs")) return "arguments";
  if (isTool && has([last], "result", "output", "outputs", "response", "results")) return "result";
  if (has([last], "tools", "functions") || (isTool && last === "definitions")) return "toolDefinitions";
  if (last === "success" || last === "succeeded") return "success";
  if (last === "decision") return "decision";
  if (has([last], "state", "status", "level", "severity")) return "level";
  return before === "error" && has([last], "message", "detail", "text") ? "error" : undefined;
}

function ofContent(words: readonly string[], before: string, last: string): Field | undefined {
  if (any(words, aboutContent)) return undefined;
  if (has([last], "messages", "history", "contents", "prompts", "message") && !has(words, "id"))
    return any(words, outputSide) ? "outputMessages" : "inputMessages";
  if (last === "instructions" || (before === "system" && has([last], "prompt", "message")))
    return "instructions";
  if (has([last], "documents", "chunks")) return "documents";
  if (has([last], "value", "text", "content", "data", "json", "body", "raw")) {
    if (inputs.has(before)) return "input";
    if (outputs.has(before)) return "output";
  }
  if (inputs.has(last)) return "input";
  return outputs.has(last) ? "output" : undefined;
}

/** Whether a name refers to token counts. A span with token counts is a model call, even if an HTTP client wrote the span. */
export function speaksOfTokens(name: string): boolean {
  const field = meaningOfName(name)?.field;
  return field === F.inputTokens || field === F.outputTokens || field === F.usage;
}
