import { bool, double, int, type KeyValue, type Span, type SpanEvent, text, texts } from "./otlp-json.ts";
import { prose } from "./prose.ts";
import { Random } from "./random.ts";

const models = ["gpt-4o", "gpt-4o-mini", "claude-sonnet-4-5", "gemini-2.5-pro"] as const;
const agents = ["support-agent", "research-agent", "travel-agent"] as const;
const tools = [
  "search_orders",
  "issue_refund",
  "send_email",
  "web_search",
  "run_sql",
  "get_weather",
] as const;
/** What a model call repeats of the conversation so far, at most. */
const HISTORY = 8000;

interface Conversation {
  readonly random: Random;
  readonly traceId: string;
  readonly root: string;
  readonly provider: string;
  readonly model: string;
  readonly content: boolean;
  readonly mixed: boolean;
  readonly common: readonly KeyValue[];
  readonly history: string[];
  readonly spans: Span[];
  nano: bigint;
}

/**
 * One run of an agent in the notation of OpenTelemetry's GenAI conventions, in the order its spans end: 8 to 20 spans of model calls,
 * tools, and requests below tools. With `content` each model call holds the conversation so far, as instrumentations record it.
 */
export function genaiTrace(random: Random, startNano: bigint, content: boolean): Span[] {
  const model = random.pick(models);
  const agent = random.pick(agents);
  const conversation = `conv_${random.hex(12)}`;
  const query = `${prose(random, random.int(60, 200))}?`;
  const talk: Conversation = {
    random,
    traceId: random.hex(16),
    root: random.hex(8),
    provider: model.startsWith("gpt") ? "openai" : model.startsWith("claude") ? "anthropic" : "gcp.gemini",
    model,
    content,
    mixed: random.chance(0.25),
    common: commonAttributes(random, conversation, agent),
    history: [JSON.stringify({ role: "user", parts: [{ type: "text", content: query }] })],
    spans: [],
    nano: startNano,
  };
  const size = random.int(8, 20);
  while (talk.spans.length < size - 2) for (const request of modelCall(talk, false)) toolCall(talk, request);
  modelCall(talk, true);
  const answer = prose(random, random.log(100, 800), talk.mixed);
  talk.spans.push({
    ...spanAt(talk, talk.root, "", `invoke_agent ${agent}`, 1, startNano, talk.nano),
    attributes: [
      text("gen_ai.operation.name", "invoke_agent"),
      text("gen_ai.provider.name", talk.provider),
      text("gen_ai.request.model", model),
      text("gen_ai.agent.description", "Agent that helps customers of the shop"),
      text("gen_ai.agent.version", "1.14.2"),
      ...talk.common,
      text("gen_ai.input.messages", `[${talk.history[0] ?? ""}]`),
      text("gen_ai.output.messages", messageList("assistant", [{ type: "text", content: answer }])),
    ],
  });
  return talk.spans;
}

function commonAttributes(random: Random, conversation: string, agent: string): KeyValue[] {
  return [
    text("gen_ai.conversation.id", conversation),
    text("gen_ai.agent.name", agent),
    text("gen_ai.agent.id", `asst_${agent}`),
    text("session.id", conversation),
    text("user.id", `user-${random.int(1, 5000)}`),
    text("deployment.environment.name", "production"),
    int("thread.id", random.int(1, 64)),
    text("thread.name", `asyncio_${random.int(0, 7)}`),
  ];
}

/** A call of a tool as the model asked for it; its span has the same id. */
interface Request {
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

/** Gives what the model asked for. */
function modelCall(talk: Conversation, last: boolean): Request[] {
  const { random, provider, model, mixed } = talk;
  const asked = Array.from({ length: last ? 0 : random.int(1, 3) }, () => ({
    id: `call_${random.hex(12)}`,
    name: random.pick(tools),
    arguments: { query: prose(random, random.int(20, 120), mixed), limit: random.int(1, 50) },
  }));
  const start = talk.nano;
  talk.nano += milliseconds(random.log(300, 8000));
  const input = random.int(200, 6000);
  const attributes = [
    text("gen_ai.operation.name", "chat"),
    text("gen_ai.provider.name", provider),
    text("gen_ai.system", provider),
    text("gen_ai.request.model", model),
    text("gen_ai.response.model", `${model}-2025-08-06`),
    text("gen_ai.response.id", `chatcmpl-${random.hex(14)}`),
    texts("gen_ai.response.finish_reasons", [asked.length > 0 ? "tool_calls" : "stop"]),
    int("gen_ai.usage.input_tokens", input),
    int("gen_ai.usage.output_tokens", random.int(10, 900)),
    int("gen_ai.usage.cache_read.input_tokens", random.int(0, input)),
    double("gen_ai.request.temperature", 0.7),
    double("gen_ai.request.top_p", 0.95),
    int("gen_ai.request.max_tokens", 4096),
    text("server.address", `api.${provider}.com`),
    int("server.port", 443),
    ...talk.common,
  ];
  if (talk.content) attributes.push(...contents(talk, asked));
  const events: SpanEvent[] = [];
  if (talk.content && random.chance(0.2)) {
    const noted = [text("gen_ai.prompt", prose(random, 200, talk.mixed))];
    events.push({ timeUnixNano: String(start), name: "gen_ai.content.prompt", attributes: noted });
  }
  const span = spanAt(talk, random.hex(8), talk.root, `chat ${model}`, 3, start, talk.nano);
  talk.spans.push({ ...span, attributes, ...(events.length === 0 ? {} : { events }) });
  return asked;
}

function contents(talk: Conversation, asked: readonly Request[]): KeyValue[] {
  const { random, history, mixed } = talk;
  const first = talk.spans.length === 0;
  const parts = asked.map((request) => ({ type: "tool_call", ...request }));
  const saying = { type: "text", content: prose(random, random.log(60, 500), mixed) };
  const given = [text("gen_ai.input.messages", `[${recent(history).join(",")}]`)];
  const output = { role: "assistant", parts: [saying, ...parts] };
  given.push(text("gen_ai.output.messages", JSON.stringify([output])));
  history.push(JSON.stringify(output));
  for (const { id } of parts) {
    const result = { status: "ok", note: prose(random, random.log(60, 800), mixed) };
    history.push(JSON.stringify({ role: "tool", parts: [{ type: "tool_call_response", id, result }] }));
  }
  if (first) {
    const system = [{ type: "text", content: prose(new Random(random.int(1, 12)), 900) }];
    given.push(text("gen_ai.system_instructions", JSON.stringify(system)));
    given.push(text("gen_ai.tool.definitions", definitions));
  }
  return given;
}

/** The newest messages, up to a size. */
function recent(history: readonly string[]): string[] {
  let from = history.length;
  let size = 0;
  while (from > 0 && size + (history[from - 1]?.length ?? 0) < HISTORY) size += history[--from]?.length ?? 0;
  return history.slice(from);
}

const definitions = JSON.stringify(
  tools.map((name) => ({
    type: "function",
    name,
    description: `Runs ${name} in the shop's back office`,
    parameters: { type: "object", properties: { query: { type: "string" }, limit: { type: "integer" } } },
  })),
);

function toolCall(talk: Conversation, { id, name, arguments: sent }: Request): void {
  const { random, content, mixed } = talk;
  const failed = random.chance(0.06);
  const start = talk.nano;
  const spanId = random.hex(8);
  talk.nano += milliseconds(random.log(5, 900));
  const attributes = [
    text("gen_ai.operation.name", "execute_tool"),
    text("gen_ai.tool.name", name),
    text("gen_ai.tool.type", "function"),
    text("gen_ai.tool.call.id", id),
    text("gen_ai.tool.description", `Tool ${name} of the shop's back office`),
    bool("tool.cache_hit", random.chance(0.2)),
    int("tool.retries", failed ? 2 : 0),
    ...talk.common,
  ];
  if (content) {
    const got = { ok: !failed, items: [prose(random, random.log(60, 1500), mixed)] };
    attributes.push(text("gen_ai.tool.call.arguments", JSON.stringify(sent)));
    attributes.push(text("gen_ai.tool.call.result", JSON.stringify(got)));
  }
  if (failed) attributes.push(text("error.type", "TimeoutError"));
  const span = spanAt(talk, spanId, talk.root, `execute_tool ${name}`, 1, start, talk.nano);
  const events = failed ? { events: [exception(talk)] } : {};
  const status = failed ? { code: 2, message: "TimeoutError: upstream took too long" } : {};
  talk.spans.push({ ...span, attributes, ...events, status });
  if (random.chance(0.4)) request(talk, name, spanId, start, failed);
}

function exception({ random, nano }: Conversation): SpanEvent {
  const attributes = [
    text("exception.type", "TimeoutError"),
    text("exception.message", "upstream took too long"),
    text("exception.stacktrace", prose(random, 900)),
  ];
  return { timeUnixNano: String(nano), name: "exception", attributes };
}

/** The HTTP request that a tool made. */
function request(talk: Conversation, name: string, parent: string, start: bigint, failed: boolean): void {
  const { random } = talk;
  const attributes = [
    text("http.request.method", "POST"),
    text("url.full", `https://shop.internal/api/v2/${name}?k=${random.int(1, 1e6)}`),
    int("http.response.status_code", failed ? 504 : 200),
    text("server.address", "shop.internal"),
    int("server.port", 443),
    text("network.protocol.version", "1.1"),
    text("user_agent.original", "python-httpx/0.27.2"),
    int("http.response.body.size", random.int(50, 4000)),
    ...talk.common,
  ];
  const span = spanAt(talk, random.hex(8), parent, "POST", 3, start, talk.nano);
  talk.spans.push({ ...span, attributes });
}

function spanAt(
  { traceId }: Conversation,
  spanId: string,
  parentSpanId: string,
  name: string,
  kind: number,
  start: bigint,
  end: bigint,
): Omit<Span, "attributes"> {
  const times = { startTimeUnixNano: String(start), endTimeUnixNano: String(end) };
  return { traceId, spanId, parentSpanId, flags: 257, name, kind, ...times, status: {} };
}

function messageList(role: string, parts: readonly object[]): string {
  return JSON.stringify([{ role, parts }]);
}

function milliseconds(count: number): bigint {
  return BigInt(count) * 1_000_000n;
}
