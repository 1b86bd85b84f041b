import { describe, expect, it } from "vitest";
import { asks, inputMessages, outputMessages, tokenCounts, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const asked = inputMessages(words("user", "How high?"));
const said = outputMessages(words("assistant", "3.1 metres."));
const usage = tokenCounts(10, 2);

async function missingOf(
  attributes: Readonly<Record<string, string | number>>,
  more: Readonly<Record<string, unknown>> = {},
  ...others: readonly Readonly<Record<string, unknown>>[]
): Promise<ReadonlyMap<string, string>> {
  const named = { "gen_ai.operation.name": "chat", ...attributes };
  const spans = [
    span("r", undefined, "invoke_agent watcher", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
    span("a", "r", "chat", 1, 8, named, more),
    ...others,
  ];
  const [run] = await replayed(document(spans));
  return new Map(run?.missing.map(({ what, why }) => [what, why]));
}

const model = { "gen_ai.request.model": "gpt-4o-mini" };
const details = {
  "gen_ai.conversation.id": "c-17",
  "gen_ai.response.model": "gpt-4o-mini",
  "gen_ai.response.finish_reasons": "stop",
  "gen_ai.usage.cache_read.input_tokens": 0,
  "gen_ai.usage.cache_creation.input_tokens": 0,
  "gen_ai.usage.reasoning.output_tokens": 0,
};
const texts = { ...asked, ...said };

describe("why a value is unknown is checked against the run's own data", () => {
  it("nothing but details is missing where the usual is there, and nothing at all where all is", async () => {
    expect([...(await missingOf({ ...model, ...usage, ...texts })).keys()]).toEqual(
      `conversation_id handoffs_available cached_tokens cache_write_tokens reasoning_tokens
llm.finish_reason llm.cached_tokens llm.reasoning_tokens`.split(/\s/),
    );
    expect([...(await missingOf({ ...model, ...usage, ...texts, ...details })).keys()]).toEqual([
      "handoffs_available",
    ]);
  });

  it("a conversation: none was declared, or under an id that stands for none", async () => {
    expect((await missingOf(usage)).get("conversation_id")).toContain("no span names a conversation");
    const named = await missingOf({ ...usage, "gen_ai.conversation.id": "None" });
    expect(named.get("conversation_id")).toContain("is empty or a placeholder");
  });

  it("a failed call has no tokens and no end", async () => {
    const missing = await missingOf(model, { status: { code: 2, message: "429" } });
    for (const part of ["input_tokens", "cost_usd", "finish_reason"])
      expect(missing.get(`llm.${part}`)).toBe("1 of 1 model calls: the call failed");
    expect(missing.has("error")).toBe(false);
  });

  it("the answer, if only an inner agent's last call is recorded: the caller's call has no span", async () => {
    const requested = outputMessages(asks("c1", "ask"));
    const chat = { "gen_ai.operation.name": "chat", ...model, ...usage, ...asked };
    const tool = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "ask",
      "gen_ai.tool.call.id": "c1",
    };
    const [run] = await replayed(
      document([
        span("r", undefined, "invoke_agent watcher", 0, 11, { "gen_ai.operation.name": "invoke_agent" }),
        span("a", "r", "chat", 1, 3, { ...chat, ...requested }),
        span("t", "r", "execute_tool ask", 4, 10, tool),
        span("i", "t", "invoke_agent inner", 5, 9, { "gen_ai.operation.name": "invoke_agent" }),
        span("b", "i", "chat", 6, 8, { ...chat, ...said }),
      ]),
    );
    expect(run?.answer).toBe(null);
    expect(run?.missing.find(({ what }) => what === "answer")?.why).toContain(
      "the last model call of the calling agent has no span",
    );
  });

  it("words: a switch only where no content came at all", async () => {
    expect((await missingOf({ ...model, ...usage })).get("query")).toContain(
      "switch on the recording of content",
    );
    const half = await missingOf({ ...model, ...usage, ...said });
    expect(half.get("query")).toContain("other texts of the run are recorded");
    expect(half.has("answer")).toBe(false);
  });

  it("words: the sender's limit where spans lost attributes", async () => {
    const missing = await missingOf({ ...model, ...usage }, { droppedAttributesCount: 2 });
    expect(missing.get("query")).toContain("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT");
  });

  it.each([
    ["tokens, and the cost with them", { ...model, ...texts }, "tokens are unknown"],
    [
      "a price, by the model's name",
      { "gen_ai.request.model": "our-own-8b", ...usage, ...texts },
      "no price for our-own-8b",
    ],
    ["the model's name", { ...usage, ...texts }, "1 of 1 model calls name no model"],
  ])("the cost: %s", async (_, attributes, why) => {
    expect((await missingOf(attributes)).get("cost")).toContain(why);
  });
});
