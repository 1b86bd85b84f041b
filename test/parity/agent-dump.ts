import { writeFileSync } from "node:fs";
import { document, span } from "../support/otlp.ts";

export interface ToolText {
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
  readonly agent?: string;
  readonly tools?: readonly (string | ToolText)[];
  /** Agents that are handed over to, one after the other. */
  readonly handoffs?: readonly string[];
  readonly handoffsAvailable?: readonly string[];
  /** Of each model call; one call of 100 and 20 tokens unless given. */
  readonly calls?: readonly { readonly input: number; readonly output: number; readonly cached?: number }[];
  readonly model?: string;
  readonly durationMs?: number;
  readonly documents?: readonly string[];
  readonly conversation?: string;
  readonly resource?: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string | number>>;
}

const usual = { query: "Where is my order?", answer: "It is on its way.", agent: "shop-agent" };

function said(role: string, content: string): string {
  const finish = role === "assistant" ? { finish_reason: "stop" } : {};
  return JSON.stringify([{ role, parts: [{ type: "text", content }], ...finish }]);
}

/** One run as one OTLP/JSON document; `at` tells runs apart and orders them. */
function documentOf(run: DumpedRun, at: number): object {
  const { query = usual.query, answer = usual.answer, agent = usual.agent, tools = [], handoffs = [] } = run;
  const { calls = [{ input: 100, output: 20 }], model = "gpt-4o-mini", durationMs = 1000, documents } = run;
  const trace = { trace: `t${at}` };
  const start = at * 100_000;
  const root = `r${at}`;
  // The last of several answers with what the tools returned.
  const chatStart = (index: number): number =>
    start + 1 + (index > 0 && index === calls.length - 1 ? 10 * (tools.length + 1) : 0);
  const chats = calls.map(({ input, output, cached }, index) =>
    span(
      `m${at}-${index}`,
      root,
      `chat ${model}`,
      chatStart(index),
      chatStart(index) + 1,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model,
        "gen_ai.response.id": `c${at}-${index}`,
        "gen_ai.usage.input_tokens": input,
        "gen_ai.usage.output_tokens": output,
        ...(cached === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cached }),
      },
      trace,
    ),
  );
  const used = tools.map((tool, index) => {
    const {
      name,
      arguments: given = {},
      result = "done",
      error,
    } = typeof tool === "string" ? ({ name: tool } as ToolText) : tool;
    return span(
      `x${at}-${index}`,
      root,
      `execute_tool ${name}`,
      start + 10 + 10 * index,
      start + 15 + 10 * index,
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": `call-${at}-${index}`,
        "gen_ai.tool.call.arguments": JSON.stringify(given),
        ...(error === undefined ? { "gen_ai.tool.call.result": result } : { "error.type": "tool_error" }),
      },
      { ...trace, ...(error === undefined ? {} : { status: { code: 2, message: error } }) },
    );
  });
  const found =
    (documents ?? []).length === 0 && documents === undefined
      ? []
      : [
          span(
            `d${at}`,
            root,
            "retrieve",
            start + 5,
            start + 8,
            {
              "openinference.span.kind": "RETRIEVER",
              "input.value": query,
              ...Object.fromEntries(
                (documents ?? []).flatMap((text, index) => [
                  [`retrieval.documents.${index}.document.content`, text],
                  [`retrieval.documents.${index}.document.id`, `doc-${index}`],
                ]),
              ),
            },
            trace,
          ),
        ];
  const others = handoffs.map((name, index) =>
    span(
      `h${at}-${index}`,
      root,
      `execute_tool transfer_to_${name}`,
      start + 500 + 10 * index,
      start + 505 + 10 * index,
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": `transfer_to_${name}` },
      trace,
    ),
  );
  const agentSpan = span(
    root,
    undefined,
    `invoke_agent ${agent}`,
    start,
    start + durationMs,
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent,
      "gen_ai.input.messages": said("user", query),
      ...(answer === null ? {} : { "gen_ai.output.messages": said("assistant", answer) }),
      ...(run.handoffsAvailable === undefined
        ? {}
        : {
            "gen_ai.tool.definitions": JSON.stringify(
              run.handoffsAvailable.map((name) => ({ type: "function", name: `transfer_to_${name}` })),
            ),
          }),
      ...(run.conversation === undefined ? {} : { "gen_ai.conversation.id": run.conversation }),
      ...run.root,
    },
    trace,
  );
  const resource = { "service.name": "shop", ...run.resource };
  return document([agentSpan, ...chats, ...found, ...used, ...others], { resource, scope: "test" });
}

/** Writes the runs as a dump, one document a line. */
export function writeDump(file: string, runs: readonly DumpedRun[]): void {
  writeFileSync(file, runs.map((run, at) => `${JSON.stringify(documentOf(run, at + 1))}\n`).join(""));
}
