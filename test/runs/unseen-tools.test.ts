import { describe, expect, test } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Where tools may have run that no data show, the run says so; where they are seen, or cannot have run, it does not. */

const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const ask = { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "shelf", arguments: {} }] };
const answer = text("assistant", "On shelf C.");

const agent = span("r", undefined, "invoke_agent clerk", 0, 90, {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "clerk",
});
const tool = span("t", "r", "execute_tool shelf", 30, 40, {
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": "shelf",
});
const chat = (id: string, start: number, said: unknown, more: Record<string, string | number> = {}) =>
  span(id, "r", "chat small", start, start + 10, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 9,
    "gen_ai.usage.output_tokens": 4,
    "gen_ai.input.messages": JSON.stringify([text("user", "Where is it?")]),
    ...(said === null ? {} : { "gen_ai.output.messages": JSON.stringify([said]) }),
    ...more,
  });

async function lacksTools(...spans: ReturnType<typeof span>[]): Promise<boolean> {
  const [run] = await replayed(document(spans));
  return run?.missing.some(({ what }) => what === "tools") === true;
}

describe("tools are unknown", () => {
  test.each([
    ["where a call's output is not recorded", [chat("a", 10, null), chat("b", 50, null)]],
    [
      "where a call ended by asking for tools that it does not name",
      [
        chat("a", 10, text("assistant", ""), { "gen_ai.response.finish_reasons": '["tool_calls"]' }),
        chat("b", 50, answer),
      ],
    ],
  ])("%s", async (_, calls) => {
    expect(await lacksTools(agent, ...calls)).toBe(true);
    expect(await lacksTools(agent, tool, ...calls), "a tool's span is there").toBe(false);
  });
});

describe("tools are known", () => {
  test.each([
    ["where each call's output is recorded", [chat("a", 10, ask), chat("b", 50, answer)]],
    ["where the only call answered", [chat("a", 10, answer)]],
  ])("%s", async (_, calls) => {
    expect(await lacksTools(agent, ...calls)).toBe(false);
  });
});
