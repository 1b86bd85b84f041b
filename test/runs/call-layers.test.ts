import { describe, expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Spans that may be layers of one model call. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const agent = span("r", undefined, "invoke_agent gauger", 0, 90, {
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": "gauger",
});
const usage = (input: number, output: number, cached?: number): Attributes => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
  ...(cached === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cached }),
});

describe("two call spans of one scope beside each other", () => {
  const viewOf = (id: string, name: string, at: number, end: number, responseId: string): Span =>
    span(id, "r", name, at, end, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "fast",
      "gen_ai.response.id": responseId,
      ...usage(1000, 20),
    });

  it.each([
    ["with one response id and time are one call", 12, 28, "m1", 1],
    ["with one response id at other times are two", 40, 50, "m1", 2],
    ["with two response ids are two", 12, 28, "m2", 2],
  ])("%s", async (_, at, end, id, calls) => {
    const [one] = await replayed(
      document([agent, viewOf("a", "chat", 10, 30, "m1"), viewOf("b", "create", at, end, id)]),
    );
    expect(one?.llmCalls).toBe(calls);
  });
});
