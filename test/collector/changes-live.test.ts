import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { startCollectorProcess } from "../../src/collector/collector.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { openDatabase } from "../../src/store/sqlite/open-database.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { record } from "../store/stored-records.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";
import { exportDefaults, webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DAY = 86_400_000;

/** Twenty days of ten runs each, of which the last five fail every second time. */
function fill(path: string): void {
  const store = new SqliteStore({
    database: openDatabase(path, Date.now()).database,
    retention: { maxAgeMs: 1e15, maxBytes: 1e15 },
    onError: (error) => {
      throw error;
    },
  });
  const now = Date.now();
  for (let at = 1; at <= 200; at++) {
    const isNew = at > 150;
    store.add(
      record({
        run: at,
        outcome: isNew && at % 2 === 0 ? "fail" : "pass",
        version: isNew ? "2.0" : "1.9",
        judgedUnixMs: Math.round(now - 20 * DAY + at * (DAY / 10)),
        costUsd: 0.5 + (at % 7) / 10,
        durationMs: 100 + ((at * 31) % 90),
      }),
    );
  }
  void store.close();
}

test("serve posts a change of its store once, also over restarts, counts it, and shows it", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "store.db");
  fill(path);
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  const serve = async (): Promise<Collector> => {
    const live = await startCollectorProcess({
      specs: [],
      judgeSkipPolicy: { judge: "off" },
      log: createLog({ level: "silent", format: "json" }),
      settings: {
        http: "127.0.0.1:0",
        grpc: "off",
        admin: "127.0.0.1:0",
        maxBody: 2 ** 26,
        timeouts: defaultTraceTimeouts,
        export: {
          ...exportDefaults,
          webhook: [
            {
              ...webhookDefaults,
              url: `${sink.url}/hook`,
              on: "change",
              maxDelayMs: 5,
              timeoutMs: LONGEST_WAIT_MS,
            },
          ],
        },
        security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
        attributes: [],
        prices: {},
        otelcolNames: false,
        changesEveryMs: 100,
        store: {
          mode: "sqlite",
          path,
          telemetry: true,
          retention: { maxAgeMs: 1e12, maxBytes: 1e12 },
          perSecond: 100,
        },
      },
    });
    onTestFinished(() => live.stop(1_000));
    return live;
  };
  const looks = vi.spyOn(SqliteStore.prototype, "claimLook");
  onTestFinished(() => looks.mockRestore());
  const looksOften = async (): Promise<void> => {
    const { length } = looks.mock.calls;
    await until(() => looks.mock.calls.length >= length + 4);
  };
  const live = await serve();
  await until(() => sink.accepted.length > 0);
  await looksOften();
  expect(sink.accepted.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { changes: [{ spec: "s", query_id: "q", measure: "pass_rate", direction: "down", worse: true }] },
  ]);
  const admin = `http://${live.listening.admin}`;
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toMatch(/^tracejury_level_changes_total\{.*query="q".*direction="worse".*\} 1$/m);
  const { changes } = (await (await fetch(`${admin}/api/v1/level-changes`)).json()) as { changes: object[] };
  expect(changes).toMatchObject([
    { measure: "pass_rate", also_changed: [{ what: "service.version", from: "1.9", to: "2.0" }] },
  ]);
  await live.stop(60_000);
  const again = await serve();
  await looksOften();
  await again.stop(60_000);
  expect(sink.requests).toHaveLength(1);
});
