import { describe, expect, it } from "vitest";
import { agentSpan, toolAttributes } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";

const agent = agentSpan("a", undefined, "clerk", 0, 100);

/** The one run of the agent and these spans. */
function runWith(...spans: readonly ReturnType<typeof span>[]) {
  const [run, ...others] = runsIn([document([agent, ...spans])]);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs`);
  return run;
}

/** A tool's span with arguments and result, unless they are left out. */
function tool(id: string, name: string, from: number, to: number, content: Record<string, string> = {}) {
  return span(id, "a", `execute_tool ${name}`, from, to, {
    ...toolAttributes(name),
    ...content,
  });
}

const content = { "gen_ai.tool.call.arguments": '{"city":"Oslo"}', "gen_ai.tool.call.result": "12:05" };

describe("a bare tool span beside one with a server's name before the tool's", () => {
  it("is the layer below of the same call when it runs during it", () => {
    const run = runWith(tool("b", "mcp__city__clock", 10, 40, content), tool("c", "clock", 20, 30));
    expect(run.tools.map(({ name, result }) => [name, result])).toEqual([["mcp__city__clock", "12:05"]]);
  });

  it.each([
    ["it runs at another time", tool("c", "clock", 50, 60)],
    ["it is another tool", tool("c", "calendar", 20, 30)],
    [
      "it has content of its own",
      tool("c", "clock", 20, 30, { "gen_ai.tool.call.arguments": '{"city":"Rome"}' }),
    ],
  ])("is a call of its own when %s", (_, other) => {
    const run = runWith(tool("b", "mcp__city__clock", 10, 40, content), other);
    expect(run.tools).toHaveLength(2);
  });

  it("is the layer of one call only", () => {
    const run = runWith(
      tool("b", "mcp__city__clock", 10, 40, content),
      tool("c", "clock", 15, 20),
      tool("d", "clock", 25, 30),
    );
    expect(run.tools).toHaveLength(2);
  });
});
