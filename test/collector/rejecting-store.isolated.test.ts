import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type * as results from "../../src/collector/outputs/results.ts";
import { agentTrace } from "../chaos/agent-trace.ts";
import { postSpans, serveInTest } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const traces = [0, 1, 2].map((n) => agentTrace(38, n, 1));

/** A store that takes every run but one. */
vi.mock("../../src/collector/outputs/results.ts", async (original) => {
  const real = await original<typeof results>();
  return {
    ...real,
    openResults: async (options: results.ResultsOptions): Promise<results.Results> => ({
      ...(await real.openResults(options)),
      onJudged: (_, run) =>
        run.traceId === traces[1]?.traceId
          ? Promise.reject(new RangeError("the store does not take it"))
          : Promise.resolve(),
    }),
  };
});

test("a store that rejects a run loses only that run: the run is counted, and nothing waits for it", async () => {
  const dataDir = temporaryFolder();
  const file = join(dataDir, "verdicts.jsonl");
  const live = await serveInTest({
    specs: [specOf('version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 2 } }]')],
    dataDir,
    timeouts: { idleMs: 300, rootQuietMs: 50, rootOpenMs: 100, lateWindowMs: 200 },
    export: { file },
  });
  expect(
    await postSpans(
      live,
      traces.flatMap(({ tools, root }) => [...tools, root]),
    ),
  ).toBe(200);
  const metric = async (pattern: RegExp): Promise<string | undefined> => {
    const answer = await fetch(`http://${live.listening.admin}/metrics`);
    return pattern.exec(await answer.text())?.[1];
  };

  await expect.poll(() => metric(/^tracejury_faults_total\{[^}]*publish[^}]*\} (\d+)/m)).toBe("1");
  await expect.poll(() => metric(/^tracejury_journal_live_bytes(?:\{[^}]*\})? (\d+)/m)).toBe("0");
  await live.stop(2_000);
  const ids = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { trace_id: string }).trace_id);
  expect(ids.sort()).toEqual(traces.map(({ traceId }) => traceId));
});
