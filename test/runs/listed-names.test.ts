import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { agentAttributes, chatAttributes } from "../support/genai.ts";
import { type Attributes, document, span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Producers that write a name or an id as a list: of one element, it is the name; of more or none, there is no name. */
const lists: readonly (readonly [unknown, string | null])[] = [
  ["only", "only"],
  [["only"], "only"],
  ['["only"]', "only"],
  ['[ "only" ]', "only"],
  [["one", "two"], null],
  ['["one", "two"]', null],
  [[], null],
  ["[]", null],
  [[""], null],
  [["None"], null],
  ["[only", "[only"],
  ["[only] x", "[only] x"],
];

function run(agent: Attributes, tool: Attributes, chat: Attributes): Promise<AgentRun> {
  return replayedOne(
    document([
      span("r", undefined, "invoke_agent", 0, 90, { ...agentAttributes("clerk"), ...agent }),
      span("t", "r", "execute_tool", 1, 2, { "gen_ai.operation.name": "execute_tool", ...tool }),
      span("c", "r", "chat", 3, 4, { ...chatAttributes("small"), ...chat }),
    ]),
  );
}

describe.each(lists)("written as %j", (written, expected) => {
  const value = written as string;

  it("a tool's name", async () => {
    const { tools } = await run({}, { "gen_ai.tool.name": value, "gen_ai.tool.call.id": "c-1" }, {});
    expect(tools.map(({ name }) => name)).toEqual([expected]);
  });

  it("a tool call's id", async () => {
    const { tools } = await run({}, { "gen_ai.tool.name": "find", "gen_ai.tool.call.id": value }, {});
    expect(tools.map(({ callId }) => callId)).toEqual([expected]);
  });

  it("an agent's name, a conversation's id and a model", async () => {
    const found = await run(
      { "gen_ai.agent.name": value, "gen_ai.conversation.id": value },
      { "gen_ai.tool.name": "find" },
      { "gen_ai.request.model": value },
    );
    expect(found.agent === "only" || found.agent?.startsWith("[only") === true).toBe(expected !== null);
    expect(found.conversationId).toBe(expected);
    expect(found.models).toEqual(expected === null ? [] : [expected]);
  });
});
