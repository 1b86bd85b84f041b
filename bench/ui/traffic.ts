import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type PlainSpan, agentTrace, requestAsJson } from "../../test/chaos/agent-trace.ts";

/** A recording of which any number of runs can be made. */
interface Template {
  readonly traceId: string;
  /** What its requests hold, joined by commas: a part of a larger request. */
  readonly parts: string;
}

const names = [
  "rag-weather-fixed.langgraph",
  "rag-weather-fixed.langgraph",
  "support-cancel.agents-sdk",
  "dev-forbidden.agents-sdk",
];

const templates: readonly Template[] = names.map((name) => {
  const text = readFileSync(`test/fixtures/runs/${name}.jsonl`, "utf8");
  const parts = text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => (JSON.parse(line) as { resourceSpans: unknown[] }).resourceSpans);
  return {
    traceId: /"traceId":"([0-9a-f]{32})"/.exec(text)?.[1] ?? "",
    parts: JSON.stringify(parts).slice(1, -1),
  };
});

/** A request with recorded runs, the n-th of many: traces of their own; every twentieth was asked something that no spec is about. */
export function request(first: number, runs: number): string {
  const parts = Array.from({ length: runs }, (_, at) => {
    const n = first + at;
    const { traceId, parts: made } = templates[n % templates.length] ?? { traceId: "", parts: "" };
    const own = made.replaceAll(traceId, randomBytes(16).toString("hex"));
    return n % 20 === 0 ? own.replaceAll("What's the weather in Tokyo?", `What is question ${n}?`) : own;
  });
  return `{"resourceSpans":[${parts.join(",")}]}`;
}

/** One run of so many spans: an agent that asks a model and calls a tool four times, over and over. */
export function longRun(spans: number): string {
  const { root, tools } = agentTrace(77, 1, spans - 1, 200);
  const asked: PlainSpan = {
    ...root,
    name: "invoke_agent rag-agent",
    endMs: root.startMs + spans,
    attributes: {
      ...root.attributes,
      "gen_ai.agent.name": "rag-agent",
      "gen_ai.input.messages": JSON.stringify([
        { role: "user", parts: [{ type: "text", content: "What's the weather in Tokyo?" }] },
      ]),
    },
  };
  const steps = tools.map((tool, at) => (at % 5 === 0 ? modelCall(tool) : tool));
  return Buffer.from(requestAsJson([asked, ...steps])).toString();
}

function modelCall(span: PlainSpan): PlainSpan {
  return {
    ...span,
    name: "chat gpt-4o-mini",
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o-mini" },
  };
}
