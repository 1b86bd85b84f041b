import { prose } from "./prose.ts";
import { Random } from "./random.ts";
import { type Attributes, type Draft, messages, type Span, spanOf, type Value } from "./span.ts";

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
/** Maximum characters of earlier messages in a model call. */
const HISTORY = 8000;

const definitions = JSON.stringify(
  tools.map((name) => ({
    type: "function",
    name,
    description: `Runs ${name} in the shop's back office`,
    parameters: { type: "object", properties: { query: { type: "string" }, limit: { type: "integer" } } },
  })),
);

/** A tool call that the model requests; the span of the tool call has the same id. */
interface ToolRequest {
  readonly id: string;
  readonly name: string;
  readonly arguments: object;
}

/**
 * One run of an agent, written with OpenTelemetry's GenAI conventions: 8 to 20 spans of model calls, tool calls and HTTP requests of tools,
 * in the order in which they end. With `content`, each model call has the messages of the conversation so far, as instrumentations record
 * them.
 */
export function genaiTrace(random: Random, startNano: bigint, content: boolean): Span[] {
  const agent = random.pick(agents);
  const query = `${prose(random, random.int(60, 200))}?`;
  const conversation = new Conversation(random, startNano, agent, query, content);
  const size = random.int(8, 20);
  while (conversation.spans.length < size - 2)
    for (const request of conversation.callModel(false)) conversation.callTool(request);
  conversation.callModel(true);
  return conversation.end(agent, query, startNano);
}

class Conversation {
  readonly spans: Span[] = [];
  readonly #random: Random;
  readonly #traceId: string;
  readonly #root: string;
  readonly #model: string;
  readonly #provider: string;
  readonly #content: boolean;
  readonly #mixed: boolean;
  readonly #common: Attributes;
  readonly #history: string[];
  #nano: bigint;

  constructor(random: Random, startNano: bigint, agent: string, query: string, content: boolean) {
    this.#random = random;
    this.#traceId = random.hex(16);
    this.#root = random.hex(8);
    this.#model = random.pick(models);
    this.#provider = this.#model.startsWith("gpt")
      ? "openai"
      : this.#model.startsWith("claude")
        ? "anthropic"
        : "gcp.gemini";
    this.#content = content;
    this.#mixed = random.chance(0.25);
    this.#nano = startNano;
    this.#history = [JSON.stringify({ role: "user", parts: [{ type: "text", content: query }] })];
    const id = `conv_${random.hex(12)}`;
    this.#common = {
      "gen_ai.conversation.id": id,
      "gen_ai.agent.name": agent,
      "gen_ai.agent.id": `asst_${agent}`,
      "session.id": id,
      "user.id": `user-${random.int(1, 5000)}`,
      "deployment.environment.name": "production",
      "thread.id": random.int(1, 64),
      "thread.name": `asyncio_${random.int(0, 7)}`,
    };
  }

  /** Adds a model call; returns the tool calls that the model requests. */
  callModel(isLast: boolean): ToolRequest[] {
    const asked = Array.from({ length: isLast ? 0 : this.#random.int(1, 3) }, () => ({
      id: `call_${this.#random.hex(12)}`,
      name: this.#random.pick(tools),
      arguments: { query: this.#prose(20, 120), limit: this.#random.int(1, 50) },
    }));
    const startNano = this.#pass(300, 8000);
    const input = this.#random.int(200, 6000);
    this.#add({
      spanId: this.#random.hex(8),
      parentSpanId: this.#root,
      name: `chat ${this.#model}`,
      kind: 3,
      startNano,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": this.#provider,
        "gen_ai.system": this.#provider,
        "gen_ai.request.model": this.#model,
        "gen_ai.response.model": `${this.#model}-2025-08-06`,
        "gen_ai.response.id": `chatcmpl-${this.#random.hex(14)}`,
        "gen_ai.response.finish_reasons": [isLast ? "stop" : "tool_calls"],
        "gen_ai.usage.input_tokens": input,
        "gen_ai.usage.output_tokens": this.#random.int(10, 900),
        "gen_ai.usage.cache_read.input_tokens": this.#random.int(0, input),
        "gen_ai.request.temperature": 0.7,
        "gen_ai.request.top_p": 0.95,
        "gen_ai.request.max_tokens": 4096,
        "server.address": `api.${this.#provider}.com`,
        "server.port": 443,
        ...this.#common,
        ...(this.#content ? this.#contents(asked) : {}),
      },
    });
    return asked;
  }

  callTool({ id, name, arguments: sent }: ToolRequest): void {
    const isFailed = this.#random.chance(0.06);
    const spanId = this.#random.hex(8);
    const startNano = this.#pass(5, 900);
    const got = { ok: !isFailed, items: [this.#prose(60, 1500)] };
    this.#add({
      spanId,
      parentSpanId: this.#root,
      name: `execute_tool ${name}`,
      startNano,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.description": `Tool ${name} of the shop's back office`,
        "tool.cache_hit": this.#random.chance(0.2),
        "tool.retries": isFailed ? 2 : 0,
        ...this.#common,
        ...(this.#content ? { "gen_ai.tool.call.arguments": JSON.stringify(sent) } : {}),
        ...(this.#content ? { "gen_ai.tool.call.result": JSON.stringify(got) } : {}),
        ...(isFailed ? { "error.type": "TimeoutError" } : {}),
      },
      ...(isFailed ? { status: { code: 2, message: "TimeoutError: upstream took too long" } } : {}),
    });
    if (!this.#random.chance(0.4)) return;
    this.#add({
      spanId: this.#random.hex(8),
      parentSpanId: spanId,
      name: "POST",
      kind: 3,
      startNano,
      attributes: {
        "http.request.method": "POST",
        "url.full": `https://shop.internal/api/v2/${name}?k=${this.#random.int(1, 1e6)}`,
        "http.response.status_code": isFailed ? 504 : 200,
        "server.address": "shop.internal",
        "server.port": 443,
        "network.protocol.version": "1.1",
        "user_agent.original": "python-httpx/0.27.2",
        "http.response.body.size": this.#random.int(50, 4000),
        ...this.#common,
      },
    });
  }

  end(agent: string, query: string, startNano: bigint): Span[] {
    this.#add({
      spanId: this.#root,
      name: `invoke_agent ${agent}`,
      startNano,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": this.#provider,
        "gen_ai.request.model": this.#model,
        "gen_ai.agent.description": "Agent that helps customers of the shop",
        "gen_ai.agent.version": "1.14.2",
        ...this.#common,
        "gen_ai.input.messages": messages("user", query),
        "gen_ai.output.messages": messages("assistant", this.#prose(100, 800)),
      },
    });
    return this.spans;
  }

  #contents(asked: readonly ToolRequest[]): Record<string, Value> {
    const parts = asked.map((request) => ({ type: "tool_call", ...request }));
    const input = `[${this.#recent().join(",")}]`;
    const output = { role: "assistant", parts: [{ type: "text", content: this.#prose(60, 500) }, ...parts] };
    this.#history.push(JSON.stringify(output));
    for (const { id } of parts) {
      const result = { status: "ok", note: this.#prose(60, 800) };
      this.#history.push(
        JSON.stringify({ role: "tool", parts: [{ type: "tool_call_response", id, result }] }),
      );
    }
    const isFirst = this.spans.length === 0;
    const system = [{ type: "text", content: prose(new Random(this.#random.int(1, 12)), 900) }];
    return {
      "gen_ai.input.messages": input,
      "gen_ai.output.messages": JSON.stringify([output]),
      ...(isFirst ? { "gen_ai.system_instructions": JSON.stringify(system) } : {}),
      ...(isFirst ? { "gen_ai.tool.definitions": definitions } : {}),
    };
  }

  /** The newest messages with at most `HISTORY` characters in total. */
  #recent(): readonly string[] {
    let from = this.#history.length;
    for (let size = 0; from > 0; from--) {
      size += this.#history[from - 1]?.length ?? 0;
      if (size >= HISTORY) break;
    }
    return this.#history.slice(from);
  }

  #prose(least: number, most: number): string {
    return prose(this.#random, this.#random.log(least, most), this.#mixed);
  }

  /** Advances the clock by a random number of milliseconds; returns the time before. */
  #pass(least: number, most: number): bigint {
    const before = this.#nano;
    this.#nano += BigInt(this.#random.log(least, most)) * 1_000_000n;
    return before;
  }

  #add(draft: Omit<Draft, "traceId" | "endNano">): void {
    this.spans.push(spanOf({ ...draft, traceId: this.#traceId, endNano: this.#nano }));
  }
}
