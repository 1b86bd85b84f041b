import { describe, expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";

const agent = span("a", undefined, "invoke_agent clerk", 0, 100, {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "clerk",
});

/** The one run of the agent and these spans. */
function runWith(...spans: readonly ReturnType<typeof span>[]) {
  const [run, ...others] = runsIn([document([agent, ...spans])]);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs`);
  return run;
}

/** A tool's span with arguments and result, unless they are left out. */
function tool(id: string, name: string, from: number, to: number, content: Record<string, string> = {}) {
  return span(id, "a", `execute_tool ${name}`, from, to, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
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

describe("a tool's span within another of the same tool", () => {
  it.each([
    ["begins after it", "f", 12],
    ["begins at once, on a clock that counts milliseconds", "f", 10],
    ["begins at once, and has the smaller id", "b", 10],
  ])("is the layer below of the same call: it %s", (_, id, from) => {
    const inner = span(id, "c", "clock", from, 30, { "gen_ai.operation.name": "execute_tool", ...content });
    const run = runWith(tool("c", "clock", 10, 30), inner);
    expect(run.tools.map(({ name, result }) => [name, result])).toEqual([["clock", "12:05"]]);
  });
});

describe("a tool that a pause for a person stops", () => {
  it.each([
    [
      "a printed pause as the status",
      {
        "langfuse.observation.level": "ERROR",
        "langfuse.observation.status_message": "(Interrupt(value={'approve': 'clock'}, id='1'),)",
      },
    ],
    ["the pause as the error's type", { "error.type": "GraphInterrupt" }],
  ])("has not failed: %s", (_, how) => {
    const interrupted = {
      ...tool("b", "clock", 10, 20, { "gen_ai.tool.call.arguments": '{"city":"Oslo"}', ...how }),
      status: { code: 2, message: "(Interrupt(value={'approve': 'clock'}, id='1'),)" },
    };
    const run = runWith(interrupted);
    expect(run.tools.map(({ error }) => error)).toEqual([null]);
  });
});

describe("a model call whose request names the operation where the model belongs", () => {
  it("has the model that answered, and no model called chat", () => {
    const call = span("b", "a", "chat", 1, 20, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "chat",
      "gen_ai.response.model": "small-0715",
    });
    const run = runWith(call);
    expect([run.models, run.responseModels]).toEqual([["small-0715"], ["small-0715"]]);
  });
});
