import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { postSpans, serve } from "../support/serve.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { exampleSpec } from "../support/spec-of.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([3_600_000, -3_600_000])("A06 a clock that jumps by %i ms closes no trace", async (jumpMs) => {
  const live = await serve({
    specs: [exampleSpec("rag-agent")],
  });
  const { root, tools } = agentTrace(9, 1, 2);
  await postSpans(live, [root, ...tools]);
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + jumpMs);
  await sleep(300);

  expect(live.openTraces()).toBe(1);
  await live.stop(1_000);
});
