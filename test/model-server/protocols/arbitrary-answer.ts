import fc from "fast-check";
import type { JsonValue } from "../../../src/model/json.ts";
import type { RequestedCall } from "../../../src/model/message.ts";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import type { Usage } from "../../../src/model/run.ts";
import type { ProtocolName } from "../../../src/model-server/protocols/protocol.ts";
import { anyText } from "../../support/any-text.ts";

const someText = fc.oneof(
  anyText({ minLength: 1, maxLength: 80 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
  fc.constantFrom("data: [DONE]\n\n", "line\r\nline", "\u2028", "```json\n{}\n```", "[image]"),
);
const id = fc.stringMatching(/^[a-z]{1,6}_[A-Za-z0-9]{1,12}$/);
const argumentsOf: fc.Arbitrary<JsonValue> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 10 }).filter((key) => key !== "__proto__"),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
  { maxKeys: 5 },
);
/** What a model writes that is no JSON. */
const brokenArguments = fc.constantFrom("{", '{"city": "Par', "city=Paris", "{'city': 'Paris'}", '{"a":1}}');

const calls = (args: fc.Arbitrary<JsonValue>): fc.Arbitrary<readonly RequestedCall[]> =>
  fc.array(fc.record({ id, name: fc.stringMatching(/^[a-z_]{1,20}$/), arguments: args }), { maxLength: 4 });

interface Counts {
  readonly fresh: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly long: number;
  readonly reasoning: number;
}
const count = fc.nat({ max: 1_000_000 });
const counts: fc.Arbitrary<Counts> = fc.record({
  fresh: count,
  output: count,
  cached: count,
  cacheWrite: count,
  long: count,
  reasoning: count,
});

const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(arbitrary, { nil: null });

/** Usage as each notation can state it: what it has no field for is unknown, what it always states is known. */
const usages: Readonly<Record<ProtocolName, fc.Arbitrary<Usage>>> = {
  "openai-chat": fc
    .tuple(counts, nullable(count), nullable(count), nullable(count))
    .map(([{ fresh, output }, cached, cacheWrite, reasoning]) => ({
      input: fresh + (cached ?? 0),
      output: output + (reasoning ?? 0),
      cached,
      cacheWrite,
      reasoning,
    })),
  "openai-responses": counts.map(({ fresh, output, cached, cacheWrite, reasoning }) => ({
    input: fresh + cached,
    output: output + reasoning,
    cached,
    cacheWrite,
    reasoning,
  })),
  "anthropic-messages": fc
    .tuple(counts, nullable(count), nullable(count), nullable(count), fc.boolean())
    .map(([{ fresh, output, long }, cached, write, reasoning, isLong]) => ({
      input: fresh + (cached ?? 0) + (write ?? 0),
      output: output + (reasoning ?? 0),
      cached,
      cacheWrite: write,
      ...(isLong && write !== null ? { longCacheWrite: Math.min(long, write) } : {}),
      reasoning,
    })),
  "gemini-generate": fc
    .tuple(counts, nullable(count), nullable(count))
    .map(([{ fresh, output }, cached, reasoning]) => ({
      input: fresh + (cached ?? 0),
      output: output + (reasoning ?? 0),
      cached,
      cacheWrite: null,
      reasoning,
    })),
};

/** Answers that a notation can state in full. */
export function arbitraryAnswer(protocol: ProtocolName): fc.Arbitrary<ModelAnswer> {
  const isOpenAi = protocol === "openai-chat" || protocol === "openai-responses";
  return fc
    .record({
      id,
      model: fc.stringMatching(/^[a-z0-9.-]{1,20}$/),
      text: nullable(someText),
      reasoning: nullable(someText),
      refusal: fc.option(someText, { nil: null, freq: 4 }),
      calls: calls(isOpenAi ? fc.oneof(argumentsOf, brokenArguments) : argumentsOf),
      ended: fc.constantFrom("stop" as const, "length" as const, "content_filter" as const),
      usage: usages[protocol],
      tier: fc.constantFrom(undefined, "flex", "priority"),
    })
    .map(({ ended, tier, ...rest }) => {
      const hasTier = tier !== undefined && protocol !== "gemini-generate";
      const answer = { ...rest, ...(hasTier ? { serviceTier: tier } : {}) };
      // Only a model that was stopped says why it declined, in Anthropic's and Google's notation.
      const declined = answer.refusal !== null && !isOpenAi;
      const finish = declined
        ? ("content_filter" as const)
        : answer.calls.length > 0
          ? ("tool_call" as const)
          : ended;
      return { ...answer, finish };
    });
}
