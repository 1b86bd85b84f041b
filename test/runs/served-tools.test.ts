import { expect, test } from "vitest";
import { agentSpan, toolAttributes } from "../support/genai.ts";
import { document, span, type Span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/* The trace of a tool server is no run: the trace of the caller shows the use of the tool. */

const SERVER = 2;
const tool = (parent: string | undefined, kind = SERVER): Span =>
  span("u", parent, "tools/call stock", 10, 20, toolAttributes("stock"), { kind });
const request = (parent?: string): Span => span("q", parent, "POST /mcp", 5, 30, {}, { kind: SERVER });
const setup = span("s", undefined, "create_agent clerk", 0, 50, {
  "gen_ai.operation.name": "create_agent",
  "gen_ai.agent.name": "clerk",
});

type Row = readonly [title: string, runs: number, spans: readonly Span[]];

const rows: readonly Row[] = [
  ["a tool in a server, alone", 0, [tool(undefined)]],
  ["a tool in a server, within the span of the request", 0, [request(), tool("q")]],
  ["a tool in a server that was started while an agent was built", 0, [setup, request("s"), tool("q")]],
  ["a tool in a server whose caller's span was not received", 1, [tool("x")]],
  ["a tool of the program, within the span of a request", 1, [request(), tool("q", 1)]],
  ["a tool in a server, within an agent", 1, [agentSpan("s", undefined, "clerk", 0, 50), tool("s")]],
];

test.each(rows)("%s: %i runs", async (_, runs, spans) => {
  expect(await replayed(document(spans))).toHaveLength(runs);
});
