import { expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import { tracesOf } from "../support/json-spans.ts";

function spanOf(operation: string, ids: object): object {
  return {
    ...ids,
    traceId: "5b8efff798038103d269b633813fc60c",
    name: operation,
    startTimeUnixNano: "1790000000000000000",
    endTimeUnixNano: "1790000001000000000",
    attributes: [{ key: "gen_ai.operation.name", value: { stringValue: operation } }],
  };
}

test("calls whose spans show nothing are unknown, and the reason does not say that they have no span", () => {
  const spans = [
    spanOf("invoke_agent", { spanId: "eee19b7ec3c1b174" }),
    spanOf("chat", { spanId: "eee19b7ec3c1b175", parentSpanId: "eee19b7ec3c1b174" }),
  ];
  const stitcher = new RunStitcher();
  for (const trace of tracesOf([{ resourceSpans: [{ scopeSpans: [{ spans }] }] }]))
    stitcher.add(new FragmentReader(adapters).read(trace), 0);
  const [run] = stitcher.drain();
  expect(run?.llmCalls).toBeNull();
  expect(run?.missing.find(({ what }) => what === "llm_calls")?.why).toMatch(
    /^the spans of model calls show neither words nor tokens/,
  );
});
