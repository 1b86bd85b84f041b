import { agentAttributes, chatAttributes, tokenCounts, toolAttributes, words } from "./genai.ts";
import { document, type Span, span } from "./otlp.ts";

interface ToolText {
  readonly name: string;
  readonly arguments?: object;
  readonly result?: string;
  readonly error?: string;
}

/** A run as telemetry of the conventions holds it; what is not given is a short, good answer. */
export interface DumpedRun {
  readonly query?: string;
  /** Null: not captured. */
  readonly answer?: string | null;
  /** Message of the error with which the run ended. */
  readonly error?: string;
  readonly agent?: string;
  readonly tools?: readonly (string | ToolText)[];
  /** Agents that are handed over to, one after the other. */
  readonly handoffs?: readonly string[];
  readonly handoffsAvailable?: readonly string[];
  /** Of each model call, the last of several after all tools; one call of 100 and 20 tokens unless given. */
  readonly calls?: readonly { readonly input: number; readonly output: number; readonly cached?: number }[];
  readonly model?: string;
  readonly durationMs?: number;
  readonly documents?: readonly string[];
  readonly conversation?: string;
  readonly resource?: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string | number>>;
}

/** Calls of a model that asks for tools and writes the answer with what they returned. */
export const askAndAnswer = [1, 2].map(() => ({ input: 100, output: 20 }));

/** A dump in OTLP/JSON lines with one run per line; ids and times are counted from `first`. */
export function agentDump(runs: readonly DumpedRun[], first = 1): string {
  const texts = runs.map((run, at) => {
    const agent = run.agent ?? "shop";
    const resource = { "service.name": agent };
    return JSON.stringify(documentOf({ agent, resource, durationMs: 20_000, ...run }, first + at));
  });
  return texts.map((text) => `${text}\n`).join("");
}

/** One run as one OTLP/JSON document; `at` tells runs apart and orders them. */
export function documentOf(run: DumpedRun, at: number): object {
  const { query = "Where is my order?", answer = "It is on its way.", agent = "shop-agent" } = run;
  const { calls = [{ input: 100, output: 20 }], model = "gpt-4o-mini", tools = [], documents } = run;
  const start = at * 100_000;
  const root = `r${at}`;
  const below = (
    id: string,
    name: string,
    [from, to]: readonly [number, number],
    attributes: Parameters<typeof span>[5],
    more = {},
  ): Span => span(id, root, name, start + from, start + to, attributes, { trace: `t${at}`, ...more });

  const chats = calls.map(({ input, output, cached }, index) => {
    const from = 1 + (index > 0 && index === calls.length - 1 ? 10 * (tools.length + 1) : 0);
    return below(`m${at}-${index}`, `chat ${model}`, [from, from + 1], {
      ...chatAttributes(model),
      ...tokenCounts(input, output),
      "gen_ai.provider.name": "openai",
      "gen_ai.response.id": `c${at}-${index}`,
      ...(cached === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cached }),
    });
  });
  const used = tools.map((tool, index) => {
    const {
      name,
      arguments: given = {},
      result = "done",
      error,
    }: ToolText = typeof tool === "string" ? { name: tool } : tool;
    const attributes = {
      ...toolAttributes(name, `call-${at}-${index}`, error === undefined ? result : undefined),
      "gen_ai.tool.call.arguments": JSON.stringify(given),
      ...(error === undefined ? {} : { "error.type": "tool_error" }),
    };
    const from = 10 + 10 * index;
    return below(`x${at}-${index}`, `execute_tool ${name}`, [from, from + 5], attributes, failed(error));
  });
  const found = Object.entries(documents ?? []).flatMap(([index, text]) => [
    [`retrieval.documents.${index}.document.content`, text],
    [`retrieval.documents.${index}.document.id`, `doc-${index}`],
  ]);
  const retriever = { "openinference.span.kind": "RETRIEVER", "input.value": query };
  const retrieved =
    documents === undefined
      ? []
      : [below(`d${at}`, "retrieve", [5, 8], { ...retriever, ...Object.fromEntries(found) })];
  const others = (run.handoffs ?? []).map((name, index) => {
    const from = 500 + 10 * index;
    const transfer = `transfer_to_${name}`;
    return below(`h${at}-${index}`, `execute_tool ${transfer}`, [from, from + 5], toolAttributes(transfer));
  });
  const attributes = {
    ...agentAttributes(agent),
    "gen_ai.input.messages": JSON.stringify([words("user", query)]),
    ...(answer === null
      ? {}
      : {
          "gen_ai.output.messages": JSON.stringify([
            { ...words("assistant", answer), finish_reason: "stop" },
          ]),
        }),
    ...(run.handoffsAvailable === undefined
      ? {}
      : { "gen_ai.tool.definitions": offered(run.handoffsAvailable) }),
    ...(run.conversation === undefined ? {} : { "gen_ai.conversation.id": run.conversation }),
    ...run.root,
  };
  const agentSpan = span(
    root,
    undefined,
    `invoke_agent ${agent}`,
    start,
    start + (run.durationMs ?? 1000),
    attributes,
    { trace: `t${at}`, ...failed(run.error) },
  );
  const resource = { "service.name": "shop", ...run.resource };
  return document([agentSpan, ...chats, ...retrieved, ...used, ...others], { resource });
}

function failed(error: string | undefined): object {
  return error === undefined ? {} : { status: { code: 2, message: error } };
}

function offered(agents: readonly string[]): string {
  return JSON.stringify(agents.map((name) => ({ type: "function", name: `transfer_to_${name}` })));
}
