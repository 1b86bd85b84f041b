import { afterEach, expect, test, vi } from "vitest";
import { Pipeline } from "../../src/pipeline/pipeline.ts";
import { until } from "../support/eventually.ts";
import { postSpans, serve } from "../support/serve.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { exampleSpec } from "../support/spec-of.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([3_600_000, -3_600_000])("A06 a clock that jumps by %i ms closes no trace", async (jumpMs) => {
  const live = await serve({
    specs: [exampleSpec("rag-agent")],
    timeouts: { rootQuietMs: 600_000, rootOpenMs: 600_000, rootCapMs: 600_000 },
  });
  const { root, tools } = agentTrace(9, 1, 2);
  await postSpans(live, [root, ...tools]);
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + jumpMs);
  const looks = vi.spyOn(Pipeline.prototype, "tick");
  await until(() => looks.mock.calls.length >= 3);

  expect(live.openTraces()).toBe(1);
  await live.stop(1_000);
});
