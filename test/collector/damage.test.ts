import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { killed, verdictFile } from "../support/data-folder.ts";
import { until } from "../support/eventually.ts";
import { queuedRecords } from "../support/left-on-disk.ts";
import { metricsOf, postSpans, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { type Accounts, settle } from "../chaos/accounts.ts";
import { agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { httpBackend, type HttpAnswers } from "../forward/backends.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const traces = Array.from({ length: 8 }, (_, n) => agentTrace(24, n, 2));
const refuses: HttpAnswers = (response) => void response.writeHead(503).end();

interface Started {
  readonly live: Collector;
  readonly log: () => Record<string, unknown>[];
}

/** @param endpoint of a backend to forward to and to export to */
async function start(data: string, endpoint: string): Promise<Started> {
  let lines = "";
  const stream = { write: (line: string) => (lines += line) };
  const live = await serveInTest({
    specs: [chaosSpec()],
    log: createLog({ level: "info", format: "json", stream }),
    timeouts: { rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 300 },
    export: {
      file: verdictFile(data),
      revisions: "first",
      otlp: [
        { endpoint, headers: {}, signals: ["logs"], events: "both", compression: "none", timeoutMs: 1_000 },
      ],
    },
    forwardTo: [{ endpoint }],
    dataDir: data,
  });
  return {
    live,
    log: () =>
      lines
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

async function send(live: Collector, spans: readonly PlainSpan[]): Promise<void> {
  expect(await postSpans(live, spans)).toBe(200);
}

function segmentsIn(path: string): string[] {
  const files = readdirSync(path, { recursive: true }).map(String);
  return files.filter((name) => name.endsWith(".segment")).sort();
}

/** The newest segment below a folder. */
function segmentIn(path: string): string {
  return join(path, segmentsIn(path).at(-1) ?? "no segment");
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  writeFileSync(file, bytes);
}

/** Four requests whose traces are open, in a journal; after a kill. */
async function openTraces(): Promise<string> {
  const backend = await httpBackend();
  const data = temporaryFolder();
  const { live } = await start(data, backend.endpoint);
  for (const { tools } of traces) await send(live, tools);
  return killed(data);
}

async function damageShown(live: Collector): Promise<{ ready: boolean; damage: string[]; metrics: string }> {
  const answer = await fetch(`http://${live.listening.admin}/readyz`);
  const readiness = (await answer.json()) as { ready: boolean; damage: string[] };
  const metrics = await metricsOf(live);
  return { ...readiness, metrics };
}

/** The value of a counter of damage; 0 when it has none. */
function damageCounted(metrics: string, storage: string): number {
  const lines = metrics.split("\n").filter((line) => /^tracejury_storage_damage\w*\{/.test(line));
  const those = lines.filter((line) => line.includes(`storage="${storage}"`));
  return those.reduce((sum, line) => sum + Number(line.split(" ").at(1)), 0);
}

/** Sends the roots of the open traces to a process that starts with this folder. */
async function withRoots(data: string): Promise<Started & { readonly accounts: () => Accounts }> {
  const started = await start(data, (await httpBackend()).endpoint);
  for (const { root } of traces) await send(started.live, [root]);
  const acknowledged = new Map(traces.map(({ traceId }) => [traceId, 2]));
  return { ...started, accounts: () => settle(verdictFile(data), acknowledged) };
}

/** Damage of a storage in the answer about readiness, in its counter, and as errors in the log. */
async function shownOf({ live, log }: Started, storage: string): Promise<object> {
  const { ready, damage, metrics } = await damageShown(live);
  const errors = log().filter((line) => line["level"] === "error" && line["storage"] === storage);
  return { ready, damage, counted: damageCounted(metrics, storage), errors: errors.length };
}

const once = (text: RegExp) => ({
  ready: true,
  damage: [expect.stringMatching(text)],
  counted: 1,
  errors: 1,
});

describe("damage on the disk", () => {
  test("one flipped bit in the salt of a journal file: every acknowledged trace is judged, and the damage is reported", async () => {
    const data = await openTraces();
    flip(segmentIn(join(data, "journal")), 12);
    const { accounts, ...started } = await withRoots(data);
    await until(() => accounts().missing.length === 0);

    expect(accounts()).toMatchObject({ missing: [], wrong: [], doubled: [] });
    expect(await shownOf(started, "journal")).toEqual(
      once(/^journal: 1 damaged header \(read from its copy\) in /),
    );
  });

  test("a damaged record of the journal affects only its trace, and is an error in the log", async () => {
    const data = await openTraces();
    const segment = segmentIn(join(data, "journal"));
    // In the last request. After it the journal may hold what was forwarded meanwhile.
    const inLast = readFileSync(segment).lastIndexOf(Buffer.from(traces.at(-1)?.traceId ?? "", "hex"));
    expect(inLast).toBeGreaterThan(0);
    flip(segment, inLast + 4);
    const { accounts, ...started } = await withRoots(data);
    await until(() => accounts().verdicts >= traces.length);

    const { wrong, doubled } = accounts();
    expect([wrong.length, doubled]).toEqual([1, []]);
    expect(await shownOf(started, "journal")).toEqual(once(/^journal: 1 damaged place \(\d+ bytes\) in /));
  });

  test.each(["forward", "export"] as const)(
    "a damaged record of a %s queue costs that record, and is shown",
    async (part) => {
      const down = await httpBackend(refuses);
      const data = temporaryFolder();
      const { live } = await start(data, down.endpoint);
      for (const { root, tools } of traces) await send(live, [root, ...tools]);
      // The journal holds what was accepted before the backend first failed.
      const queued = part === "forward" ? 1 : traces.length;
      await until(async () => (await queuedRecords(data, part)) >= queued);
      const left = killed(data);
      const segment = segmentIn(join(left, part));
      flip(segment, readFileSync(segment).length - 5);
      expect(await shownOf(await start(left, down.endpoint), part)).toEqual(once(new RegExp(`^${part}: 1 `)));
    },
  );
});
