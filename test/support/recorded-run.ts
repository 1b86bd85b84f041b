import {
  agentAttributes,
  chatAttributes,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  words,
} from "./genai.ts";
import { document, span } from "./otlp.ts";

/** The fields of one run in a test's dump. */
export interface RecordedRun {
  readonly trace: string;
  readonly query: string;
  readonly answer?: string;
  /** Tool calls in order. */
  readonly tools?: readonly string[];
  /** Number of model calls, and the sum of their tokens. */
  readonly model?: { readonly calls: number; readonly tokens: number };
  readonly durationMs?: number;
  /** The error with which the run ended. */
  readonly error?: string;
  /** Start in milliseconds after the start of the first run. */
  readonly at?: number;
  readonly agent?: string;
  /** Further attributes of the first tool call's span, or of the root without tool calls. */
  readonly attributes?: Parameters<typeof span>[5];
}

/** A dump with one OTLP/JSON line per run, in the attributes of the GenAI conventions. */
export function recordedDump(...runs: readonly RecordedRun[]): string {
  return runs.map((run) => `${JSON.stringify(document(spansOf(run)))}\n`).join("");
}

function spansOf({
  trace,
  query,
  answer,
  tools = [],
  error,
  at = 0,
  agent = "shop",
  model,
  durationMs = 100,
  attributes = {},
}: RecordedRun) {
  const more = { trace };
  const root = span(
    `r${trace}`,
    undefined,
    `invoke_agent ${agent}`,
    at,
    at + durationMs,
    {
      ...agentAttributes(agent),
      ...inputMessages(words("user", query)),
      ...(answer === undefined ? {} : outputMessages(words("assistant", answer))),
      ...(tools.length === 0 ? attributes : {}),
    },
    { ...more, ...(error === undefined ? {} : { status: { code: 2, message: error } }) },
  );
  const calls = tools.map((name, n) =>
    span(
      `${trace}${n}`,
      `r${trace}`,
      `execute_tool ${name}`,
      at + 1 + n * 5,
      at + 4 + n * 5,
      {
        ...toolAttributes(name, `call-${n}`, "done"),
        "gen_ai.tool.call.arguments": JSON.stringify({ n }),
        ...(n === 0 ? attributes : {}),
      },
      more,
    ),
  );
  const count = model?.calls ?? 0;
  // The last model call comes after all tool calls.
  const place = (n: number): number => at + 5 * (n === count - 1 ? Math.max(n, tools.length) : n);
  const chats = Array.from({ length: count }, (_, n) =>
    span(
      `m${trace}${n}`,
      `r${trace}`,
      "chat gpt-4o-mini",
      place(n),
      place(n) + 1,
      {
        ...chatAttributes("gpt-4o-mini"),
        ...tokenCounts(shareOf(model, n) - 10, 10),
      },
      more,
    ),
  );
  return [root, ...calls, ...chats];
}

/** Tokens of the n-th model call; the last one also gets the remainder. */
function shareOf(model: RecordedRun["model"], n: number): number {
  const { calls, tokens } = model ?? { calls: 1, tokens: 0 };
  const each = Math.floor(tokens / calls);
  return n === calls - 1 ? tokens - each * (calls - 1) : each;
}
