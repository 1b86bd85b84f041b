import { expect, test } from "vitest";
import { evaluationOf } from "../support/evaluation-of.ts";
import { chatAttributes, toolAttributes } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";
import { specOf } from "../support/spec-of.ts";

/** Times in nanoseconds since 1970 are no exact numbers: a difference of two such numbers is off by up to half a microsecond. */

const BEGIN = 1_790_000_000_123_456_789n;

function at(one: ReturnType<typeof span>, start: bigint, duration: bigint): ReturnType<typeof span> {
  return { ...one, startTimeUnixNano: String(start), endTimeUnixNano: String(start + duration) };
}

test.each([333n, 10_000_000n, 374_999_999n, 750_000_000n, 750_000_001n, 1_234_000_000n, 86_400_000_000_001n])(
  "a run, its tool and its model call that take %d ns",
  async (nanos) => {
    for (let shift = 0n; shift < 20n; shift++) {
      const start = BEGIN + shift * 77_777n;
      const spans = [
        span("r", undefined, "invoke_agent clerk", 0, 1, { "gen_ai.operation.name": "invoke_agent" }),
        span("c", "r", "chat small", 0, 1, chatAttributes("small")),
        span("t", "r", "execute_tool look", 0, 1, toolAttributes("look")),
      ].map((one) => at(one, start, nanos));
      const [run] = await replayed(document(spans));
      const expected = Number(nanos) / 1e6;
      expect([run?.durationMs, run?.llm[0]?.durationMs, run?.tools[0]?.durationMs]).toEqual([
        expected,
        expected,
        expected,
      ]);
    }
  },
);

test.each([
  ["start", { startTimeUnixNano: "0" }, "the root span has no start time"],
  [
    "end",
    { endTimeUnixNano: "0" },
    "the root span has no end time, or its end time is not after its start time",
  ],
])("a root without a %s: a short known part does not pass max_latency_ms", async (_, times, why) => {
  const root = span("r", undefined, "invoke_agent clerk", 0, 900, {
    "gen_ai.operation.name": "invoke_agent",
  });
  const chat = span("c", "r", "chat small", 850, 890, { "gen_ai.operation.name": "chat" });
  const [run] = await replayed(document([{ ...root, ...times }, chat]));
  expect(run?.missing.find(({ what }) => what === "duration")?.why).toBe(why);
  const spec = specOf('version: 1\nagent: "*"\nqueries: [{ query: "*", cost: { max_latency_ms: 899 } }]\n');
  const [query] = spec.queries;
  if (run === undefined || query === undefined) throw new Error("nothing to evaluate");
  const [found] = evaluationOf(run, query).layers.cost.checks;
  expect(found?.outcome).toBe("incomplete");
  expect(found?.message).toContain(`is not valid (${why})`);
});
