import { remembered } from "../../support/structures/bounded-memo.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { wordsOf } from "./words.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** What an unknown attribute seems to hold, by the words of its name. */
export type InferredMeaning =
  | { readonly field: Field }
  /** Its value may say what kind of span it is. */
  | "kind"
  /** Indexed keys below this prefix. */
  | { readonly field: Field; readonly tree: string };

const none = null;
const MOST_NAMES = 5000;

export const meaningOfName = remembered(
  (name): InferredMeaning | null => (name.length > 200 ? none : inferMeaning(name)),
  MOST_NAMES,
);

/** Without one of these in it a name suggests nothing: most names that senders choose are ruled out before they are split into words. */
const anyWord =
  /token|usage|metric|model|provider|vendor|session|conversation|thread|chat|agent|assistant|workflow|chain|graph|flow|crew|pipeline|entity|param|option|config|kwargs|reason|tool|func|action|arg|definition|succe|state|status|level|severity|error|message|histor|content|prompt|instruction|system|document|chunk|input|output|query|question|request|task|goal|payload|completion|response|answer|result|repl|generat|choice|kind|type|categor|op|role/i;

function inferMeaning(name: string): InferredMeaning | null {
  if (!anyWord.test(name)) return none;
  const words = wordsOf(name);
  const index = words.indexOf("#");
  if (index > 0) return inferTree(name, words.slice(0, index));
  const last = words[words.length - 1] ?? "";
  const before = words[words.length - 2] ?? "";
  const field =
    inferTokens(words) ??
    inferIdentity(words, before, last) ??
    inferCall(words, before, last) ??
    inferContent(words, before, last);
  if (field !== undefined) return { field };
  const isKind = kindWords.has(last) || (last === "name" && (before === "operation" || before === "op"));
  return isKind && !notKinds.has(before) ? "kind" : none;
}

const kindWords = new Set(["kind", "type", "subtype", "category", "operation", "op", "role"]);
const notKinds = new Set(wordList("mime content media error exception output input tool file event"));

function inferTree(name: string, words: readonly string[]): InferredMeaning | null {
  const tree = name.slice(0, name.search(/[^A-Za-z0-9]\d+(?:[^A-Za-z0-9]|$)/));
  if (tree === "" || name[tree.length] !== ".") return none;
  const last = words[words.length - 1] ?? "";
  if (has(words, "tools", "functions")) return { field: "toolDefinitions", tree };
  if (words.slice(-2).join("") === "toolcalls" || words[words.length - 1] === "toolcalls")
    return { field: "outputCalls", tree };
  if (has(words, "documents", "chunks")) return { field: "documents", tree };
  if (
    !has(
      [last],
      "messages",
      "message",
      "prompt",
      "prompts",
      "completion",
      "completions",
      "choices",
      "history",
      "input",
      "output",
    )
  ) {
    return none;
  }
  return { field: isOutput(words) ? "outputMessages" : "inputMessages", tree };
}

function has(words: readonly string[], ...any: readonly string[]): boolean {
  return any.some((word) => words.includes(word));
}

function isOutput(words: readonly string[]): boolean {
  return has(
    words,
    "output",
    "outputs",
    "completion",
    "completions",
    "response",
    "responses",
    "choices",
    "result",
    "generated",
  );
}

/** Counts of something else than tokens, limits, inferences and money. */
const notUsage = wordList(
  "max limit budget estimated cost price per rate second window remaining ratio saved",
);

function inferTokens(words: readonly string[]): Field | undefined {
  const isCount = has(words, "token", "tokens", "tokencount");
  if (words[words.length - 1] === "metrics") return "usage";
  if (!isCount && !has(words, "usage")) return undefined;
  if (has(words, ...notUsage)) return undefined;
  // Counted apart as not cached: neither the whole input nor the cached part of it.
  if (has(words, "uncached", "miss", "misses") || /\bno[nt]? cached?\b/.test(words.join(" ")))
    return undefined;
  if (has(words, "cached", "cache")) {
    if (has(words, "write", "written", "creation", "created")) return "cacheWriteTokens";
    return has(words, "cached", "read", "hit", "hits") ? "cachedTokens" : undefined;
  }
  if (has(words, "reasoning", "thoughts", "thinking", "thought")) return "reasoningTokens";
  if (has(words, "input", "prompt")) return "inputTokens";
  if (has(words, "output", "completion", "generated", "candidates")) return "outputTokens";
  if (has(words, "total")) return "totalTokens";
  const last = words[words.length - 1] ?? "";
  return has([last], "usage", "details", "tokens", "metadata") ? "usage" : undefined;
}

function inferIdentity(words: readonly string[], before: string, last: string): Field | undefined {
  const isName = last === "name" || last === "label" || last === "id";
  if (last === "model" || (before === "model" && (isName || last === "version"))) return modelField(words);
  if (last === "modelid" || last === "modelname") return modelField(words);
  if (last === "provider" || last === "vendor") return "provider";
  if ((before === "response" || before === "completion") && last === "id") return "responseId";
  if (has([before], "session", "conversation", "thread", "chat") && last === "id") return "conversation";
  if (has([last], "sessionid", "conversationid", "threadid")) return "conversation";
  if (has(words, "agent", "assistant") && last === "name") {
    if (has(words, "target", "to", "next", "destination")) return "handoffTo";
    return has(words, "from", "source", "caller", "parent") ? "handoffFrom" : "agent";
  }
  if (before === "to" && last === "agent") return "handoffTo";
  if (before === "from" && last === "agent") return "handoffFrom";
  if ((last === "agent" && before !== "user") || last === "agentname") return "agent";
  if (has([before], "workflow", "chain", "graph", "flow", "crew", "pipeline", "entity") && last === "name")
    return "workflow";
  return undefined;
}

function modelField(words: readonly string[]): Field {
  if (has(words, "response", "responded", "served", "actual")) return "responseModel";
  return has(words, "request", "requested") ? "requestModel" : "model";
}

function inferCall(words: readonly string[], before: string, last: string): Field | undefined {
  if (has([last], "parameters", "params", "options", "config", "kwargs") && has(words, ...ofRequests))
    return "parameters";
  if (has([last], "reason", "reasons") && has([before], "finish", "stop")) return "finish";
  if (last === "finishreason" || last === "stopreason") return "finish";
  // `code.function.name` is where in the source something is.
  const isTool = has(words, "tool", "function", "toolcall", "action") && !has(words, "code");
  if (isTool && last === "name") return "tool";
  if (last === "toolname") return "tool";
  if (isTool && last === "id" && has(words, "call", "use", "toolcall", "invocation", "tool")) return "callId";
  if (has([last], "arguments", "args", "parameters", "params", "kwargs"))
    return isTool || words.length < 3 ? "arguments" : undefined;
  if (isTool && has([last], "input", "inputs")) return "arguments";
  if (isTool && has([last], "result", "output", "outputs", "response", "results")) return "result";
  if (has([last], "tools", "functions") || (isTool && last === "definitions")) return "toolDefinitions";
  if (last === "success" || last === "succeeded") return "success";
  if (has([last], "state", "status", "level", "severity")) return "level";
  if (before === "error" && has([last], "message", "detail", "text")) return "error";
  return undefined;
}

const ofRequests = ["invocation", "model", "llm", "request", "generation", "completion", "chat"];

const inputWords = ["input", "inputs", "prompt", "query", "question", "request", "task", "goal", "payload"];
const outputWords = wordList("output outputs completion response answer result reply generation completions");

/** Names that speak about a content, not of it. */
const aboutContent = wordList("cost price spend size length count bytes hash hide hidden mime format");
const settings = wordList("enabled allowed headers timeout version schema mode config settings env");

function inferContent(words: readonly string[], before: string, last: string): Field | undefined {
  if (has(words, ...aboutContent) || has(words, ...settings)) return undefined;
  if (has([last], "messages", "history", "contents", "prompts", "message") && !has(words, "id")) {
    return isOutput(words) ? "outputMessages" : "inputMessages";
  }
  if (last === "instructions" || (before === "system" && has([last], "prompt", "message")))
    return "instructions";
  if (has([last], "documents", "chunks")) return "documents";
  if (has([last], "value", "text", "content", "data", "json", "body", "raw")) {
    if (has([before], ...inputWords)) return "input";
    if (has([before], ...outputWords)) return "output";
  }
  if (has([last], ...inputWords)) return "input";
  return has([last], ...outputWords) ? "output" : undefined;
}
