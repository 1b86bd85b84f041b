import { describe, expect, it } from "vitest";
import { span } from "../support/otlp.ts";
import { runOf } from "../support/runs.ts";

const agent = (id: string, name: string, from: number, to: number) =>
  span(id, "root", `invoke_agent ${name}`, from, to, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
  });
const call = (id: string, parent: string, from: number, to: number) =>
  span(id, parent, "chat small", from, to, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.output_tokens": 5,
  });
const graph = span("root", undefined, "count", 0, 100, { "gen_ai.operation.name": "invoke_workflow" });

describe("two agents of one workflow", () => {
  it.each([
    ["hand over when the second asks its model after the first", 50, 80, ["bolts > screws"]],
    ["hand over nothing when their model calls overlap", 20, 60, []],
  ])("%s", (_, from, to, handoffs) => {
    const run = runOf([
      graph,
      agent("a", "bolts", 1, 45),
      call("b", "a", 5, 40),
      agent("c", "screws", from - 2, to + 5),
      call("d", "c", from, to),
    ]);
    expect(run.handoffs.map((one) => `${one.from} > ${one.to}`)).toEqual(handoffs);
  });
});
