import { document, span } from "./otlp.ts";

/** A message of a conversation, in no dialect. */
export interface Said {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text?: string;
  /** Name of the participant who sent the message, if the producer records it. */
  readonly name?: string;
  readonly call?: Requested;
  /** The id of the call that a tool message answers. */
  readonly of?: string;
}

export interface Requested {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export const user = (text: string, name?: string): Said => ({
  role: "user",
  text,
  ...(name === undefined ? {} : { name }),
});
export const says = (text: string): Said => ({ role: "assistant", text });
export const calls = (id: string, name = "gauge", args: Requested["arguments"] = { at: id }): Said => ({
  role: "assistant",
  call: { id, name, arguments: args },
});
export const returns = (of: string, text: string): Said => ({ role: "tool", text, of });

export type Attributes = Readonly<Record<string, string | number | readonly string[]>>;

/** Span names and attributes of one instrumentation. */
export interface Dialect {
  readonly scope: string;
  readonly agent: (name: string) => { readonly name: string; readonly attributes: Attributes };
  readonly tool: (
    call: Requested,
    result: string,
  ) => { readonly name: string; readonly attributes: Attributes };
  readonly chat: (
    sent: readonly Said[],
    returned: Said,
  ) => { readonly name: string; readonly attributes: Attributes };
}

const json = JSON.stringify;

export const otel: Dialect = {
  scope: "opentelemetry.instrumentation.openai_agents",
  agent: (name) => ({
    name: `invoke_agent ${name}`,
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name },
  }),
  tool: ({ id, name, arguments: args }, result) => ({
    name: `execute_tool ${name}`,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.call.arguments": json(args),
      "gen_ai.tool.call.result": result,
    },
  }),
  chat: (sent, returned) => ({
    name: "chat small",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 10 * sent.length,
      "gen_ai.usage.output_tokens": 2,
      "gen_ai.input.messages": json(sent.map(withParts)),
      "gen_ai.output.messages": json([{ ...withParts(returned), finish_reason: finish(returned) }]),
    },
  }),
};

function finish({ call }: Said): string {
  return call === undefined ? "stop" : "tool_call";
}

function withParts({ role, text, name, call, of }: Said): object {
  const parts = [
    ...(of !== undefined
      ? [{ type: "tool_call_response", id: of, response: text }]
      : text === undefined
        ? []
        : [{ type: "text", content: text }]),
    ...(call === undefined ? [] : [{ type: "tool_call", ...call }]),
  ];
  return { role, parts, ...(name === undefined ? {} : { name }) };
}

export const openinference: Dialect = {
  scope: "openinference.instrumentation.openai_agents",
  agent: (name) => ({ name, attributes: { "openinference.span.kind": "AGENT" } }),
  tool: ({ name, arguments: args }, result) => ({
    name,
    attributes: {
      "openinference.span.kind": "TOOL",
      "tool.name": name,
      "input.value": json(args),
      "output.value": result,
    },
  }),
  chat: (sent, returned) => ({
    name: "response",
    attributes: {
      "openinference.span.kind": "LLM",
      "llm.model_name": "small",
      "llm.token_count.prompt": 10 * sent.length,
      "llm.token_count.completion": 2,
      ...indexed("llm.input_messages", sent),
      ...indexed("llm.output_messages", [returned]),
    },
  }),
};

function indexed(prefix: string, messages: readonly Said[]): Attributes {
  const entries = messages.flatMap(({ role, text, call, of }, at) => {
    const message = `${prefix}.${at}.message`;
    const first = `${message}.tool_calls.0.tool_call`;
    return [
      [`${message}.role`, role],
      ...(text === undefined ? [] : [[`${message}.content`, text]]),
      ...(of === undefined ? [] : [[`${message}.tool_call_id`, of]]),
      ...(call === undefined
        ? []
        : [
            [`${first}.id`, call.id],
            [`${first}.function.name`, call.name],
            [`${first}.function.arguments`, json(call.arguments)],
          ]),
    ] as [string, string][];
  });
  return Object.fromEntries(entries);
}

/** Makes the spans of one trace in the order of events; each step takes time. */
export class Story {
  readonly spans: Record<string, unknown>[] = [];
  readonly #dialect: Dialect;
  readonly #trace: string;
  #clockMs: number;
  #count = 0;

  constructor(dialect: Dialect, options: { readonly trace?: string; readonly atMs?: number } = {}) {
    this.#dialect = dialect;
    this.#trace = options.trace ?? "t";
    this.#clockMs = options.atMs ?? 0;
  }

  get document(): Record<string, unknown> {
    return document(this.spans, { scope: this.#dialect.scope });
  }

  get nowMs(): number {
    return this.#clockMs;
  }

  /** Sets the clock; an earlier time is for parallel steps. */
  goTo(ms: number): void {
    this.#clockMs = ms;
  }

  wait(ms: number): void {
    this.#clockMs += ms;
  }

  /** Adds a span around the spans that `inner` adds. */
  around(
    parent: string | undefined,
    name: string,
    attributes: Attributes,
    inner: (id: string) => void,
  ): void {
    const id = `${this.#trace}${++this.#count}`;
    const start = ++this.#clockMs;
    inner(id);
    this.spans.push(span(id, parent, name, start, ++this.#clockMs, attributes, { trace: this.#trace }));
  }

  agent(parent: string | undefined, agent: string, inner: (id: string) => void, more: Attributes = {}): void {
    const { name, attributes } = this.#dialect.agent(agent);
    this.around(parent, name, { ...attributes, ...more }, inner);
  }

  chat(parent: string | undefined, sent: readonly Said[], returned: Said, more: Attributes = {}): void {
    const { name, attributes } = this.#dialect.chat(sent, returned);
    this.around(parent, name, { ...attributes, ...more }, () => this.wait(5));
  }

  tool(parent: string | undefined, call: Requested, result: string, inner?: (id: string) => void): void {
    const { name, attributes } = this.#dialect.tool(call, result);
    this.around(parent, name, attributes, (id) => (inner === undefined ? this.wait(2) : inner(id)));
  }

  /** Adds one turn of a conversation, with an optional tool call. Appends the messages to `history`. */
  turn(parent: string | undefined, history: Said[], { asked, uses, answer }: Turn): void {
    history.push(user(asked));
    if (uses !== undefined) {
      const request: Said = { role: "assistant", call: uses.call };
      this.chat(parent, history, request);
      this.tool(parent, uses.call, uses.result);
      history.push(request, returns(uses.call.id, uses.result));
    }
    this.chat(parent, history, says(answer));
    history.push(says(answer));
  }
}

export interface Turn {
  readonly asked: string;
  readonly uses?: { readonly call: Requested; readonly result: string };
  readonly answer: string;
}
