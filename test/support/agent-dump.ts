import {
  agentAttributes,
  chatAttributes,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  words,
} from "./genai.ts";
import { type Attributes, document, span } from "./otlp.ts";

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

/** Of the first minute, after the start of `span`. */
const START_MS = 50_000_000_000;

/** A dump in OTLP/JSON lines with one run per line; ids and times are counted from `first`. */
export function agentDump(runs: readonly DumpedRun[], first = 1): string {
  return runs.map((run, at) => `${JSON.stringify(requestOf(run, first + at))}\n`).join("");
}

function requestOf(run: DumpedRun, number: number): object {
  const { query, answer, tools = [], error, agent = "shop", model = "gpt-4o-mini" } = run;
  const traceId = digits(number, 32);
  const rootId = digits(number * 1000, 16);
  const start = START_MS + number * 60_000;
  const below = (at: number, name: string, attributes: Attributes) => {
    const ids = { traceId, spanId: digits(number * 1000 + at, 16), parentSpanId: rootId };
    return span("", "", name, start + at * 10, start + at * 10 + 8, attributes, { ...ids, status: {} });
  };
  const said = {
    ...agentAttributes(agent),
    ...inputMessages(words("user", query)),
    ...(answer === null ? {} : outputMessages(words("assistant", answer))),
  };
  const status = error === undefined ? { code: 1 } : { code: 2, message: error };
  const ids = { traceId, spanId: rootId };
  const root = span("", undefined, `invoke_agent ${agent}`, start, start + 20_000, said, { ...ids, status });
  const chatAt = (at: number) =>
    below(at, `chat ${model}`, {
      ...chatAttributes(model),
      "gen_ai.provider.name": "openai",
      "gen_ai.response.model": model,
      ...tokenCounts(100, 20),
    });
  const calls = tools.map((name, at) =>
    below(at + 2, `execute_tool ${name}`, {
      ...toolAttributes(name, `call-${number}-${at}`, "done"),
      "gen_ai.tool.call.arguments": "{}",
    }),
  );
  const last = run.answersAfterTools === true ? [chatAt(tools.length + 2)] : [];
  const resource = { "service.name": agent };
  return document([root, chatAt(1), ...calls, ...last], { scope: "agent-dump", version: "1", resource });
}

function digits(number: number, length: number): string {
  return number.toString(16).padStart(length, "0");
}
