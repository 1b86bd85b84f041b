import type { JsonValue, SpanFacts, SpanRole } from "../adapter-type.ts";

/**
 * Spring AI Alibaba prints the state of its graph before and after each node, truncated after about 1000 characters: `input=…;
 * messages=[UserMessage{content='…', …}, AssistantMessage [messageType=ASSISTANT, toolCalls=[ToolCall[…]], textContent=…, …]]; `.
 */
const STATE_BEFORE = "gen_ai.prompt";
const STATE_AFTER = "gen_ai.completion";
const NODE = "spring.ai.alibaba.graph.node.name";
const GRAPH = "spring.ai.alibaba.graph.name";

/** Attributes that mark the spans of graphs and of their nodes. */
export const graphMarkers: readonly string[] = [GRAPH, NODE];

/** Maximum number of characters of a state that is read, and of messages in it. */
const MOST_CHARACTERS = 100_000;
const MOST_MESSAGES = 200;

/**
 * The span of a model node has the role `call` if the messages before the node can be read. All other spans of graphs have the role `copy`,
 * because they only repeat the state.
 */
export function graphRole({ span }: SpanFacts, role: SpanRole): SpanRole {
  const node = span.named(NODE);
  if (node === undefined && span.named(GRAPH) === undefined) return role;
  return node === "_AGENT_MODEL_" && exchangeOf(span) !== undefined ? "call" : "copy";
}

/** Messages that the node's model call received. */
export function sentMessages({ span }: SpanFacts): JsonValue | undefined {
  return span.named(NODE) === undefined ? undefined : exchangeOf(span)?.sent;
}

/** Messages that the node's model call returned. */
export function returnedMessages({ span }: SpanFacts): JsonValue | undefined {
  return span.named(NODE) === undefined ? undefined : exchangeOf(span)?.returned;
}

interface Exchange {
  readonly sent: readonly JsonValue[];
  readonly returned: readonly JsonValue[];
}

/** Replaces the returned messages of a call if the state after the call cannot be read, for example because it is truncated. */
const cutOff: readonly JsonValue[] = [{ role: "assistant", content: "(truncated)" }];

function exchangeOf(span: SpanFacts["span"]): Exchange | undefined {
  const sent = messagesIn(span.named(STATE_BEFORE));
  if (sent === undefined) return undefined;
  return { sent, returned: messagesIn(span.named(STATE_AFTER))?.slice(sent.length) ?? cutOff };
}

const beginnings =
  /(?<=\[|, )(?:UserMessage\{content='|AssistantMessage \[messageType=ASSISTANT, toolCalls=\[|ToolResponseMessage\{responses=\[)/g;

/** Returns the messages in a printed state; undefined if the state is truncated, or has another form. */
function messagesIn(state: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (typeof state !== "string" || state.length > MOST_CHARACTERS) return undefined;
  const start = state.indexOf("messages=[");
  if (start < 0) return undefined;
  const text = state.slice(start);
  const found = [...text.matchAll(beginnings)].slice(0, MOST_MESSAGES + 1);
  if (found.length === 0 || found.length > MOST_MESSAGES) return undefined;
  const messages = found.map((match, at) => {
    const body = text.slice(match.index + match[0].length, found[at + 1]?.index);
    if (match[0].startsWith("User")) return userMessage(body);
    return match[0].startsWith("Assistant") ? assistantMessage(body) : toolMessages(body);
  });
  return messages.includes(undefined) ? undefined : messages.flatMap((message) => message ?? []);
}

function userMessage(body: string): readonly JsonValue[] | undefined {
  const content = before(body, "', metadata={");
  return content === undefined ? undefined : [{ role: "user", content }];
}

function assistantMessage(body: string): readonly JsonValue[] | undefined {
  const callsAndText = before(body, ", metadata={");
  const [calls, content] = callsAndText === undefined ? [] : halves(callsAndText, "], textContent=");
  if (calls === undefined || content === undefined) return undefined;
  const requests = items(calls, /ToolCall\[id=([^,[\]]*), type=[^,[\]]*, name=([^,[\]]*), arguments=/g);
  const toolCalls = requests.map(({ id, name, text }) => ({ id, function: { name, arguments: text } }));
  return [
    { role: "assistant", content: content === "null" ? "" : content, tool_calls: toolCalls as JsonValue },
  ];
}

function toolMessages(body: string): readonly JsonValue[] | undefined {
  const responses = before(body, "], messageType=TOOL");
  if (responses === undefined) return undefined;
  return items(responses, /ToolResponse\[id=([^,[\]]*), name=([^,[\]]*), responseData=/g).map(
    ({ id, name, text }) => ({ role: "tool", tool_call_id: id, name, content: text }),
  );
}

interface Item {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the items of a printed list, such as `ToolCall[id=…, type=…, name=…, arguments={…}], ToolCall[…]`. `beginning`: pattern of an
 * item's beginning.
 */
function items(list: string, beginning: RegExp): Item[] {
  const found = [...list.matchAll(beginning)];
  return found.map((match, at) => {
    const item = list.slice(match.index + match[0].length, found[at + 1]?.index);
    return { id: match[1] ?? "", name: match[2] ?? "", text: before(item, "]") ?? item };
  });
}

/** Returns the text before the last occurrence of `ending`; undefined if the text does not contain it. */
function before(text: string, ending: string): string | undefined {
  const at = text.lastIndexOf(ending);
  return at < 0 ? undefined : text.slice(0, at);
}

function halves(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + separator.length)];
}
