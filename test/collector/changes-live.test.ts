import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { inMemory, serveInTest } from "../support/serve.ts";
import { webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";
import { sqliteStore } from "../store/sqlite-of-test.ts";
import { trendRecord } from "../store/stored-records.ts";

const DAY = 86_400_000;

/** Twenty days of ten runs each, of which the last five fail every second time. */
async function fill(path: string): Promise<void> {
  const store = sqliteStore(path);
  const now = Date.now();
  for (let at = 1; at <= 200; at++)
    store.add(trendRecord(at, at > 150, Math.round(now - 20 * DAY + at * (DAY / 10))));
  await store.close();
}

test("serve posts a change of its store once, also over restarts, counts it, and shows it", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "store.db");
  await fill(path);
  const sink = await startWebhookSink();
  onTestFinished(() => sink.close());
  const hook = { ...webhookDefaults, url: `${sink.url}/hook`, maxDelayMs: 5, timeoutMs: LONGEST_WAIT_MS };
  const start = async (): Promise<Collector> => {
    const live = await serveInTest({
      export: { webhook: [{ ...hook, on: "change" }] },
      security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
      changesEveryMs: 100,
      store: { ...inMemory, mode: "sqlite", path, retention: { maxAgeMs: 1e12, maxBytes: 1e12 } },
    });
    return live;
  };
  const looks = vi.spyOn(SqliteStore.prototype, "claimLook");
  onTestFinished(() => looks.mockRestore());
  const looksOften = async (): Promise<void> => {
    const { length } = looks.mock.calls;
    await until(() => looks.mock.calls.length >= length + 4);
  };
  const live = await start();
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
  const again = await start();
  await looksOften();
  await again.stop(60_000);
  expect(sink.requests).toHaveLength(1);
});
