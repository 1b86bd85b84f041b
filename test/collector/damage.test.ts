import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { killed, verdictFile } from "../support/data-folder.ts";
import { until } from "../support/eventually.ts";
import { queuedRecords } from "../support/left-on-disk.ts";
import { postSpans, serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { settle } from "../chaos/accounts.ts";
import { agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { httpBackend, type HttpAnswers } from "../forward/backends.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const traces = Array.from({ length: 8 }, (_, n) => agentTrace(24, n, 2));
const refuses: HttpAnswers = (response) => void response.writeHead(503).end();

const lives: Collector[] = [];
afterEach(async () => {
  for (const live of lives.splice(0)) await live.stop(500);
});

interface Started {
  readonly live: Collector;
  readonly log: () => Record<string, unknown>[];
}

/** @param endpoint of a backend to forward to and to export to */
async function start(data: string, endpoint: string): Promise<Started> {
  let lines = "";
  const stream = { write: (line: string) => (lines += line) };
  const live = await serve({
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
  lives.push(live);
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
  const metrics = await (await fetch(`http://${live.listening.admin}/metrics`)).text();
  return { ...readiness, metrics };
}

/** The value of a counter of damage; 0 when it has none. */
function damageCounted(metrics: string, storage: string): number {
  const lines = metrics.split("\n").filter((line) => /^tracejury_storage_damage\w*\{/.test(line));
  const those = lines.filter((line) => line.includes(`storage="${storage}"`));
  return those.reduce((sum, line) => sum + Number(line.split(" ").at(1)), 0);
}

describe("damage on the disk", () => {
  test("one flipped bit in the salt of a journal file: every acknowledged trace is judged, and the damage is reported", async () => {
    const data = await openTraces();
    flip(segmentIn(join(data, "journal")), 12);
    const backend = await httpBackend();
    const { live, log } = await start(data, backend.endpoint);
    for (const { root } of traces) await send(live, [root]);
    const acknowledged = new Map(traces.map(({ traceId }) => [traceId, 2]));
    const file = verdictFile(data);
    await until(() => settle(file, acknowledged).missing.length === 0);

    expect(settle(file, acknowledged)).toMatchObject({ missing: [], wrong: [], doubled: [] });
    const { ready, damage, metrics } = await damageShown(live);
    expect(ready).toBe(true);
    expect(damage).toEqual([expect.stringMatching(/^journal: 1 damaged header \(read from its copy\) in /)]);
    expect(damageCounted(metrics, "journal")).toBe(1);
    expect(log().filter(({ level, storage }) => level === "error" && storage === "journal")).toHaveLength(1);
  });

  test("a damaged record of the journal affects only its trace, and is an error in the log", async () => {
    const data = await openTraces();
    const segment = segmentIn(join(data, "journal"));
    // In the last request. After it the journal may hold what was forwarded meanwhile.
    const inLast = readFileSync(segment).lastIndexOf(Buffer.from(traces.at(-1)?.traceId ?? "", "hex"));
    expect(inLast).toBeGreaterThan(0);
    flip(segment, inLast + 4);
    const backend = await httpBackend();
    const { live, log } = await start(data, backend.endpoint);
    for (const { root } of traces) await send(live, [root]);
    const acknowledged = new Map(traces.map(({ traceId }) => [traceId, 2]));
    const file = verdictFile(data);
    await until(() => settle(file, acknowledged).verdicts >= traces.length);

    const { wrong, doubled } = settle(file, acknowledged);
    expect([wrong.length, doubled]).toEqual([1, []]);
    const { damage, metrics } = await damageShown(live);
    expect(damage).toEqual([expect.stringMatching(/^journal: 1 damaged place \(\d+ bytes\) in /)]);
    expect(damageCounted(metrics, "journal")).toBe(1);
    expect(log().filter(({ level, storage }) => level === "error" && storage === "journal")).toHaveLength(1);
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
      const { live: next, log } = await start(left, down.endpoint);

      const { ready, damage, metrics } = await damageShown(next);
      expect(ready).toBe(true);
      expect(damage).toEqual([expect.stringMatching(new RegExp(`^${part}: 1 `))]);
      expect(damageCounted(metrics, part)).toBe(1);
      expect(log().filter(({ level, storage }) => level === "error" && storage === part)).toHaveLength(1);
    },
  );
});
