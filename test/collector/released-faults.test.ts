import { expect, onTestFinished, test, vi } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import type { TraceEntry } from "../../src/assemble/trace-entry.ts";
import { DeliveryLedger } from "../../src/journal/delivery-ledger.ts";
import { hexOf } from "../../src/otlp/bytes/text.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { verdictFile } from "../support/data-folder.ts";
import { until } from "../support/eventually.ts";
import { journalPast } from "../support/left-on-disk.ts";
import { metricsOf, postSpans, serve } from "../support/serve.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const steps = [
  ["the journal's ledger", DeliveryLedger.prototype],
  ["the life cycle", TraceLifecycle.prototype],
] as const;

test.each(steps)(
  "a fault in %s at the release of a trace costs that trace, and leaves nothing in the journal",
  async (_, step: { released: (trace: TraceEntry) => void }) => {
    const [failing, other] = [agentTrace(31, 1, 2), agentTrace(31, 2, 2)];
    const released = step.released;
    const seen = new Set<string>();
    const spy = vi.spyOn(step, "released").mockImplementation(function (this: unknown, trace: TraceEntry) {
      const traceId = hexOf(trace.id);
      seen.add(traceId);
      if (traceId === failing.traceId) throw new Error("injected");
      released.call(this as never, trace);
    });
    const dataDir = temporaryFolder();
    const live = await serve({
      specs: [chaosSpec()],
      timeouts: { rootQuietMs: 50, rootOpenMs: 80, lateWindowMs: 100 },
      export: { file: verdictFile(dataDir), revisions: "first" },
      dataDir,
    });
    onTestFinished(async () => {
      await live.stop(500);
      spy.mockRestore();
    });
    for (const { root, tools } of [failing, other]) expect(await postSpans(live, [root, ...tools])).toBe(200);

    await until(() => seen.size === 2);
    await until(async () => {
      const { finished, requests } = await journalPast(dataDir);
      return requests === 0 || [failing, other].every(({ traceId }) => finished.has(traceId));
    });
    const metrics = await metricsOf(live);
    expect(metrics).toMatch(/^tracejury_faults\w*\{[^}]*publish[^}]*\} 1$/m);
  },
);

test("a request whose spans cause an error after they were stored gets an error, and leaves nothing in the journal", async () => {
  const { root, tools } = agentTrace(31, 3, 2);
  const dataDir = temporaryFolder();
  const live = await serve({ specs: [chaosSpec()], export: {}, dataDir });
  const spy = vi.spyOn(Assembler.prototype, "add").mockImplementation(() => {
    throw new Error("injected");
  });
  onTestFinished(async () => {
    spy.mockRestore();
    await live.stop(500);
  });
  expect(await postSpans(live, [root, ...tools])).toBe(500);
  const metrics = await metricsOf(live);
  expect(metrics).toMatch(/^tracejury_journal_live_bytes\w*(?:\{[^}]*\})? 0$/m);
});
