/** A span of the dump; its place in the dump depends on the seed. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly object[];
  readonly status?: object;
}

interface Sent {
  readonly service: string;
  readonly scope: string;
  readonly span: Span;
}

type Values = Readonly<Record<string, string | number>>;

/** Collects spans of agents, and writes them as OTLP/JSON lines. */
export class MixedDump {
  readonly #sent: Sent[] = [];
  #ids = 0;
  readonly #service: string;

  constructor(service = "shop") {
    this.#service = service;
  }

  /** Adds a span; returns its id. */
  span(
    trace: string,
    name: string,
    values: Values,
    given: Partial<Span> & { at: number; scope?: string },
  ): string {
    const { at, scope = "agents", ...more } = given;
    const spanId = (++this.#ids).toString(16).padStart(16, "0");
    const start = 1_700_000_000_000 + at;
    const attributes = Object.entries(values).map(([key, value]) => ({
      key,
      value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
    }));
    const span = {
      traceId: trace.padStart(32, "0"),
      spanId,
      name,
      kind: 1,
      startTimeUnixNano: `${start}000000`,
      endTimeUnixNano: `${start + 5}000000`,
      attributes,
      ...more,
    };
    this.#sent.push({ service: this.#service, scope, span });
    return spanId;
  }

  /** Adds a complete run: an agent that calls a model, uses a tool and answers. */
  whole(trace: string, at: number, call: Values = {}): void {
    const root = this.span(
      trace,
      "invoke_agent helper",
      { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" },
      { at },
    );
    this.#call(trace, at + 1, [text("user", "Where is my parcel?")], [text("assistant", "Here.")], {
      parentSpanId: root,
      values: call,
    });
    this.span(
      trace,
      "execute_tool find",
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find" },
      { at: at + 3, parentSpanId: root },
    );
  }

  /**
   * Adds a model call in its own trace. `asks` is the id of the tool call that it requests; `answers` is the id of the tool call whose
   * result it gets.
   */
  lone(
    trace: string,
    at: number,
    given: { asks?: string; answers?: string; scope?: string; values?: Values },
  ): void {
    const { asks, answers } = given;
    const input =
      answers === undefined
        ? [text("user", `Question of ${asks ?? trace}?`)]
        : [text("user", `Question of ${answers}?`), asking(answers), answering(answers)];
    this.#call(trace, at, input, asks === undefined ? [text("assistant", "Done.")] : [asking(asks)], given);
  }

  /** Adds a single failed span without any text. */
  faint(trace: string, at: number): void {
    this.span(trace, "check", {}, { at, status: { code: 2, message: "stopped" } });
  }

  #call(
    trace: string,
    at: number,
    input: readonly object[],
    output: readonly object[],
    { values = {}, ...given }: { scope?: string; parentSpanId?: string; values?: Values },
  ): void {
    const { scope, parentSpanId } = given;
    this.span(
      trace,
      "chat model",
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.input.messages": JSON.stringify(input),
        "gen_ai.output.messages": JSON.stringify(output),
        ...values,
      },
      {
        at,
        ...(scope === undefined ? {} : { scope }),
        ...(parentSpanId === undefined ? {} : { parentSpanId }),
      },
    );
  }

  /** The spans as requests with `spans` spans per line; in the order in which they were added, or shuffled by a seed. */
  lines(spans: number, seed = 0): string[] {
    const sent = seed === 0 ? this.#sent : mixed(this.#sent, seed);
    const lines: string[] = [];
    for (let from = 0; from < sent.length; from += spans) {
      const resourceSpans = sent.slice(from, from + spans).map(({ service, scope, span }) => ({
        resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
        scopeSpans: [{ scope: { name: scope }, spans: [span] }],
      }));
      lines.push(JSON.stringify({ resourceSpans }));
    }
    return lines;
  }
}

function mixed<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const placed = items.map((item) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return { item, at: state };
  });
  return placed.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function text(role: string, content: string): object {
  return { role, parts: [{ type: "text", content }] };
}

function asking(id: string): object {
  return { role: "assistant", parts: [{ type: "tool_call", id, name: "find", arguments: { id } }] };
}

function answering(id: string): object {
  return { role: "tool", parts: [{ type: "tool_call_response", id, response: "found" }] };
}
