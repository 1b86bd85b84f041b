import type { Adapter, EventView, JsonValue, SpanFacts } from "../adapter-type.ts";

/** LangGraph4j's hook. A span of a node has the graph's state before and after it, as LangChain4j prints its messages. */
export const langgraph4j: Adapter = {
  dialect: "langgraph4j",
  scopes: ["org.bsc.langgraph4j.otel.*"],
  names: [{ pattern: /^evaluate(?:Node|Edge)$/, role: "step" }],
  fields: {
    conversation: ["lg4j.runnableConfig.threadId"],
    graphNode: ["nodeId"],
  },
  events: [{ name: "end", fields: { history: ["lg4j.state"] } }],
  derive: { history },
};

/** All messages of the run, from the node that gave the answer: its state before, then its own message. */
function history({ span }: SpanFacts): JsonValue | undefined {
  if (span.name !== "evaluateNode") return undefined;
  const [start, end] = ["start", "end"].map((name) => span.events.find((event) => event.name === name));
  const last = messagesOf(end);
  const answer = last.at(-1);
  if (answer === undefined || answer["role"] !== "assistant" || "tool_calls" in answer) return undefined;
  return [...messagesOf(start), ...last];
}

type Message = Record<string, JsonValue>;

function messagesOf(event: EventView | undefined): readonly Message[] {
  const state = event?.named("lg4j.state");
  if (typeof state !== "string") return [];
  const texts = state.split(/(?:\n\t|messages=)(?=[A-Z]\w*Message ?\{)/);
  return texts.map(messageIn).filter((message) => message !== undefined);
}

const query = /^UserMessage \{ name = [^]*?, contents = \[TextContent \{ text = "([^]*)" \}\], attributes = /;
const answer =
  /^AiMessage \{ text = (?:null|"([^]*?)"), thinking = [^]*?, toolExecutionRequests = \[([^]*)\], attributes = /;
const request = /ToolExecutionRequest \{ id = "(.*?)", name = "(.*?)", arguments = "([^]*?)" \}/g;
const result =
  /^ToolExecutionResultMessage\{id='(.*?)', toolName='(.*?)', contents=\[TextContent \{ text = "([^]*)" \}\], /;

function messageIn(text: string): Message | undefined {
  const asked = query.exec(text);
  if (asked !== null) return { role: "user", content: asked[1] ?? null };
  const returned = result.exec(text);
  if (returned !== null) {
    const [, id = null, name = null, content = null] = returned;
    return { role: "tool", tool_call_id: id, name, content };
  }
  const answered = answer.exec(text);
  if (answered === null) return undefined;
  const calls = [...(answered[2] ?? "").matchAll(request)].map(([, id, name, args]) => ({
    id: id ?? null,
    name: name ?? null,
    arguments: args ?? null,
  }));
  return {
    role: "assistant",
    content: answered[1] ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}
