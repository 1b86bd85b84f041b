import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const json = JSON.stringify;
const asked = { role: "user", content: "Is the pass open?" };
const transfer = { type: "function_call", call_id: "c1", name: "transfer_to_scout", arguments: "{}" };
const call = (id: string, parent: string, at: number, output: unknown) =>
  span(id, parent, "agents.response", at, at + 5, {
    "lmnr.span.type": "LLM",
    "lmnr.span.path": ["workflow", parent, "agents.response"],
    "gen_ai.system": "openai",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": json([asked]),
    "gen_ai.output.messages": json([output]),
  });
const own = (id: string, parent: string | undefined, name: string, at: number, end: number, more = {}) =>
  span(id, parent, name, at, end, { "lmnr.span.type": "DEFAULT", "lmnr.span.path": [name], ...more });
const usage = json({ input_tokens: 10, output_tokens: 2, cached_input_tokens: 0, requests: 1 });

const root = own("w", undefined, "workflow", 0, 99);
const agent = own("a", "w", "warden", 1, 20, {
  "lmnr.span.input": json({ name: "warden", handoffs: ["scout"], tools: ["snow"], output_type: "str" }),
});
const other = own("b", "w", "scout", 22, 60, {
  "lmnr.span.input": json({ name: "scout", tools: ["snow"], output_type: "str" }),
});
const handoff = span("h", "a", "agents.handoff", 10, 10, {
  "lmnr.span.type": "TOOL",
  "lmnr.span.path": ["workflow", "warden", "agents.handoff"],
  "openai.agents.handoff.from": "warden",
  "openai.agents.handoff.to": "scout",
});
const answer = { role: "assistant", content: [{ type: "output_text", text: "It is open." }] };

async function run(...spans: ReturnType<typeof span>[]): Promise<AgentRun> {
  const [one, ...others] = await replayed(document(spans));
  if (one === undefined || others.length > 0) throw new Error("not one run");
  return one;
}

describe("a hand-off that a model asked for and that a tool's span shows without the call's id", () => {
  it("is one hand-off, with the span's id", async () => {
    const { handoffs } = await run(
      root,
      agent,
      call("m", "a", 2, transfer),
      handoff,
      other,
      call("n", "b", 30, answer),
    );
    expect(handoffs).toMatchObject([{ from: "warden", to: "scout", spanId: handoff["spanId"] }]);
  });
});

describe("an output that holds only what a step used", () => {
  it("is no answer", async () => {
    const turn = own("w", undefined, "agents.turn", 0, 20, { "lmnr.span.output": usage });
    const asks = { type: "function_call", call_id: "c2", name: "snow", arguments: "{}" };
    const { answer: said } = await run(turn, call("m", "w", 2, asks));
    expect(said).toBeNull();
  });
});
