import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { join } from "node:path";
import { trendOfQuery } from "../../src/interfaces/api/trend-of-query.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";

/*
 * `npm run long -- store-million [COUNT]`: fills a store with a million verdicts of a hundred queries over thirty days, and times what the
 * pages of the UI ask, and how long all else has to wait meanwhile. Prints one JSON object.
 */

const count = Number(process.argv[2] ?? 1_000_000);
const day = 86_400_000;
const end = Date.now();
const outcomes = ["pass", "pass", "pass", "pass", "warn", "fail", "incomplete"] as const;
const padding = "evidence ".repeat(60);

function record(i: number): JudgedRecord {
  const id = i.toString(16).padStart(32, "0");
  const usual = outcomes[(i * 7919) % outcomes.length] ?? "pass";
  // One query gets worse, so that its trend has a change to explain.
  const outcome = i % 100 === 1 && i > 0.6 * count && i % 3 === 0 ? "fail" : usual;
  const queryId = `query-${(i * 31) % 100}`;
  const agent = `agent-${i % 20}`;
  return {
    run: {
      runId: `${id}-1`,
      traceIds: [id],
      agent,
      service: "shop",
      conversationId: null,
      query: `question number ${i}`,
      answer: `answer ${i % 5000}`,
      complete: true,
      startUnixMs: end,
      durationMs: i % 9000,
      totalTokens: i % 4000,
      costUsd: (i % 100) / 1000,
      models: ["m"],
      json: `{"run_id":"${id}-1","text":"${padding}"}`,
    },
    verdicts: [
      {
        verdictId: `v${i}`,
        revision: 1,
        spec: `spec-${(i % 100) % 3}`,
        queryId,
        outcome,
        json: `{"verdict_id":"v${i}","outcome":"${outcome}","text":"${padding}"}`,
      },
    ],
    unjudged: [],
    telemetry: null,
    judgedUnixMs: Math.round(end - 30 * day * (1 - i / count)),
  };
}

const folder = mkdtempSync(join(tmpdir(), "tracejury-million-"));
try {
  const path = join(folder, "store.db");
  const store = new SqliteStore({
    database: openDatabase(path, end).database,
    threadPath: path,
    retention: { maxAgeMs: 365 * day, maxBytes: 1e13 },
    onError: (error) => console.error(error.message),
  });
  const began = performance.now();
  for (let i = 0; i < count; i++) {
    store.add(record(i));
    if (i % 2000 === 0) store.flush();
  }
  store.flush();
  const seconds = (performance.now() - began) / 1000;
  const figures: Record<string, number> = {};
  const time = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
    }
    figures[`${name} (median ms)`] = Math.round((times.sort((a, b) => a - b)[3] ?? 0) * 100) / 100;
  };
  const somewhere = ((count >> 1) + 1).toString(36);
  await store.newest(); // starts the thread
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await time("first page", () => store.verdicts({}, 50, null));
  await time("a page in the middle", () => store.verdicts({}, 50, somewhere));
  await time("failed only", () => store.verdicts({ outcome: "fail" }, 50, null));
  await time("one agent, failed", () => store.verdicts({ agent: "Agent_3", outcome: "fail" }, 50, null));
  await time("one query of one spec", () => store.verdicts({ query: "query-31", spec: "spec-1" }, 50, null));
  await time("a text that is there", () => store.verdicts({ text: "answer 42" }, 50, null));
  await time("a text that is not", () => store.verdicts({ text: "nowhere" }, 50, null));
  await time("runs, first page", () => store.runs({}, 50, null));
  await time("one run", () => store.run(`${(count >> 1).toString(16).padStart(32, "0")}-1`));
  await time("queries of 24 hours", () => store.sums({ since: end - day, until: end }, null));
  await time("queries of 30 days", () => store.sums({ since: end - 30 * day, until: end }, null));
  await time("trend of one query, 30 days", () =>
    store.sums({ since: end - 30 * day, until: end, query: "query-31" }, day),
  );
  const month = { spec: "spec-1", query: "query-31", since: end - 30 * day, until: end };
  await time("changes of one query, 30 days", () => trendOfQuery(store, month));
  await time("status", () => store.status());
  delay.disable();
  figures["event loop meanwhile, longest delay (ms)"] = Math.round(delay.max / 1e5) / 10;
  figures["event loop meanwhile, p99 (ms)"] = Math.round(delay.percentile(99) / 1e5) / 10;
  store.close();
  console.log(
    JSON.stringify(
      {
        verdicts: count,
        written_per_second: Math.round(count / seconds),
        file_mib: Math.round(statSync(path).size / 2 ** 20),
        rss_mib: Math.round(process.memoryUsage.rss() / 2 ** 20),
        ...figures,
      },
      null,
      2,
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}
