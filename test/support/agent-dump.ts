/** The fields of one run of an agent in a test's dump. */
export interface DumpedRun {
  readonly query: string;
  /** Null if the answer was not captured. */
  readonly answer: string | null;
  readonly tools?: readonly string[];
  /** Message of the error with which the run ended. */
  readonly error?: string;
  readonly agent?: string;
  readonly model?: string;
  /** Whether a model call follows the tool calls, in which the model writes the answer. */
  readonly answersAfterTools?: boolean;
}

const START_UNIX_MS = 1_750_000_000_000;

/** A dump in OTLP/JSON lines with one run per line; ids and times are counted from `first`. */
export function agentDump(runs: readonly DumpedRun[], first = 1): string {
  return runs.map((run, at) => `${JSON.stringify(requestOf(run, first + at))}\n`).join("");
}

function requestOf(run: DumpedRun, number: number): object {
  const { query, answer, tools = [], error, agent = "shop", model = "gpt-4o-mini" } = run;
  const traceId = number.toString(16).padStart(32, "0");
  const rootId = spanId(number, 0);
  const start = START_UNIX_MS + number * 60_000;
  const message = (role: string, content: string): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
  const span = (at: number, name: string, attributes: Readonly<Record<string, string | number>>): object => ({
    traceId,
    spanId: spanId(number, at),
    parentSpanId: rootId,
    name,
    kind: 1,
    ...times(start + at * 10, 8),
    attributes: Object.entries(attributes).map(attribute),
    status: {},
  });
  const root = {
    traceId,
    spanId: rootId,
    name: `invoke_agent ${agent}`,
    kind: 1,
    ...times(start, 20_000),
    attributes: Object.entries({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent,
      "gen_ai.input.messages": message("user", query),
      ...(answer === null ? {} : { "gen_ai.output.messages": message("assistant", answer) }),
    }).map(attribute),
    status: error === undefined ? { code: 1 } : { code: 2, message: error },
  };
  const chatAt = (at: number): object =>
    span(at, `chat ${model}`, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
    });
  const chat = chatAt(1);
  const last = run.answersAfterTools === true ? [chatAt(tools.length + 2)] : [];
  const calls = tools.map((name, at) =>
    span(at + 2, `execute_tool ${name}`, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": `call-${number}-${at}`,
      "gen_ai.tool.call.arguments": "{}",
      "gen_ai.tool.call.result": "done",
    }),
  );
  const scopeSpans = [
    { scope: { name: "agent-dump", version: "1" }, spans: [root, chat, ...calls, ...last] },
  ];
  return { resourceSpans: [{ resource: { attributes: [attribute(["service.name", agent])] }, scopeSpans }] };
}

function spanId(number: number, at: number): string {
  return (number * 1000 + at).toString(16).padStart(16, "0");
}

function times(startMs: number, durationMs: number): object {
  return { startTimeUnixNano: `${startMs}000000`, endTimeUnixNano: `${startMs + durationMs}000000` };
}

function attribute([key, value]: readonly [string, string | number]): object {
  return { key, value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) } };
}
