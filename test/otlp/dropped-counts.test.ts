import { expect, test } from "vitest";
import { readTracesJson } from "../../src/otlp/json/read-json.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import type { ReadResult } from "../../src/otlp/read-result.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { document } from "../support/otlp.ts";
import { agentSpan } from "../support/genai.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode, TracesData } from "./oracle.ts";

/** Counts of dropped parts in each place of a span, and their sum as the span has it. */
const table: readonly (readonly [object, number])[] = [
  [{}, 0],
  [{ droppedAttributesCount: 3 }, 3],
  [{ droppedEventsCount: 2 }, 2],
  [{ droppedLinksCount: 5 }, 5],
  [{ droppedAttributesCount: 3, droppedEventsCount: 2, droppedLinksCount: 5 }, 10],
  [
    {
      events: [
        { name: "a", droppedAttributesCount: 4 },
        { name: "b" },
        { name: "c", droppedAttributesCount: 1 },
      ],
    },
    5,
  ],
  [{ droppedEventsCount: 300, events: [{ name: "a", droppedAttributesCount: 400 }] }, 700],
  [{ droppedEventsCount: 4294967295, droppedLinksCount: 7 }, 4294967295],
];

const request = (spans: readonly object[]): Record<string, unknown> => ({
  resourceSpans: [{ scopeSpans: [{ spans }] }],
});

function counts(result: ReadResult): number[] {
  if (!result.ok) throw new Error(result.message);
  return table.map((_, at) => viewSpan(result.batch, at, []).droppedAttributes);
}

test("dropped attributes, events and links of a span are counted together, in protobuf and JSON", () => {
  const ids = { name: "s", startTimeUnixNano: "1", endTimeUnixNano: "2" };
  const inBytes = table.map(([counts]) => ({
    traceId: new Uint8Array(16).fill(1),
    spanId: new Uint8Array(8).fill(2),
    ...ids,
    ...counts,
  }));
  const inText = table.map(([counts]) => ({
    traceId: "01".repeat(16),
    spanId: "02".repeat(8),
    ...ids,
    ...counts,
  }));
  const expected = table.map(([, sum]) => sum);
  expect(counts(readTraces(encode(TracesData, request(inBytes))))).toEqual(expected);
  expect(counts(readTracesJson(Buffer.from(JSON.stringify(request(inText)))))).toEqual(expected);
});

test.each([
  ["droppedEventsCount", { droppedEventsCount: 1 }],
  ["droppedLinksCount", { droppedLinksCount: 1 }],
  ["droppedAttributesCount of an event", { events: [{ name: "e", droppedAttributesCount: 1 }] }],
])("%s shows in the run and in doctor", async (_, dropped) => {
  const file = join(temporaryFolder(), "dump.jsonl");
  writeFileSync(
    file,
    JSON.stringify(document([agentSpan("a", undefined, "a", 0, 1000, {}, dropped)], { scope: "" })),
  );
  const inspected = await runCliWith({}, "inspect", file, "--format", "json");
  const { missing } = JSON.parse(inspected.stdout) as { missing: { what: string; why: string }[] };
  expect(missing.find(({ what }) => what === "attributes")?.why).toMatch(
    /^1 span lost attributes, events or links: .*OTEL_SPAN_EVENT_COUNT_LIMIT/,
  );
  expect((await runCliWith({}, "doctor", file)).stdout).toContain("1 span lost attributes, events or links");
});
