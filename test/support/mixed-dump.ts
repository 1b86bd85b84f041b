import {
  agentAttributes,
  asks,
  chatAttributes,
  returns,
  tokenCounts,
  toolAttributes,
  words,
} from "./genai.ts";
import { document, type Span, span as spanOf } from "./otlp.ts";

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
    given: { at: number; scope?: string; parentSpanId?: string; status?: object },
  ): string {
    const { at, scope = "agents", ...more } = given;
    const spanId = (++this.#ids).toString(16).padStart(16, "0");
    const ids = { traceId: trace.padStart(32, "0"), spanId };
    const span = spanOf("", undefined, name, at, at + 5, values, { ...ids, ...more });
    this.#sent.push({ service: this.#service, scope, span });
    return spanId;
  }

  /** Adds a complete run: an agent that calls a model, uses a tool and answers. */
  whole(trace: string, at: number, call: Values = {}): void {
    const root = this.span(trace, "invoke_agent helper", agentAttributes("helper"), { at });
    this.#call(trace, at + 1, [words("user", "Where is my parcel?")], [words("assistant", "Here.")], {
      parentSpanId: root,
      values: call,
    });
    this.span(trace, "execute_tool find", toolAttributes("find"), { at: at + 3, parentSpanId: root });
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
        ? [words("user", `Question of ${asks ?? trace}?`)]
        : [words("user", `Question of ${answers}?`), requests(answers), returns(answers, "found")];
    this.#call(
      trace,
      at,
      input,
      asks === undefined ? [words("assistant", "Done.")] : [requests(asks)],
      given,
    );
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
        ...chatAttributes("gpt-4o"),
        ...tokenCounts(10, 7),
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
      const resourceSpans = sent.slice(from, from + spans).flatMap(({ service, scope, span }) => {
        const request = document([span], { scope, resource: { "service.name": service } });
        return request["resourceSpans"] as object[];
      });
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

function requests(id: string): object {
  return asks(id, "find", { id });
}
