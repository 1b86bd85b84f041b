import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { spanAt } from "../../src/otlp/rows/batch.ts";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";
import { hexAt } from "../../src/otlp/bytes/text.ts";
import type { DumpItem } from "../../src/receive/dump/records/dump-item.ts";
import { type Dumps, openDumps } from "../../src/receive/dump/dumps.ts";
import { encode, LogsData, MetricsData, TracesData } from "../otlp/oracle.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A folder that goes away with `remove`. */
export class TemporaryFolder {
  readonly path = temporaryFolder();

  /** Writes a file and gives its path. */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const traceIdOf = (n: number): string => n.toString(16).padStart(32, "0");
const spanIdOf = (n: number): string => n.toString(16).padStart(16, "0");

/** A request with one span for each number, whose trace and span ids are that number. */
export function traces(...numbers: number[]): object {
  const spans = numbers.map((n) => ({
    traceId: traceIdOf(n),
    spanId: spanIdOf(n),
    name: `span ${n}`,
    startTimeUnixNano: "1763700000000000000",
    endTimeUnixNano: "1763700000000000001",
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

export function logs(n: number): object {
  const record = { timeUnixNano: "1763700000000000000", traceId: traceIdOf(n), spanId: spanIdOf(n) };
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
}

export const metrics = (): object => ({
  resourceMetrics: [
    { scopeMetrics: [{ metrics: [{ name: "m", gauge: { dataPoints: [{ asDouble: 1 }] } }] }] },
  ],
});

/** The request as protobuf. */
export function protobuf(request: object): Uint8Array {
  const type = "resourceSpans" in request ? TracesData : "resourceLogs" in request ? LogsData : MetricsData;
  return encode(type, binaryIds(request) as Record<string, unknown>);
}

function binaryIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(binaryIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "traceId" || name === "spanId" ? Buffer.from(String(inner), "hex") : binaryIds(inner),
    ]),
  );
}

/** A record behind its length, as the Collector's file exporter writes it. */
export function framed(record: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(record.length);
  return Buffer.concat([length, record]);
}

/** A zstd frame that stores its content as it is. */
export function stored(content: Uint8Array): Uint8Array {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < content.length || at === 0; at += 100_000) {
    const part = content.subarray(at, at + 100_000);
    const last = at + 100_000 >= content.length ? 1 : 0;
    const block = (part.length << 3) | last;
    blocks.push(Buffer.from([block & 255, (block >> 8) & 255, block >> 16]), part);
  }
  return Buffer.concat([header, ...blocks]);
}

export async function all(dumps: Dumps): Promise<DumpItem[]> {
  const items: DumpItem[] = [];
  for await (const stretch of dumps.read()) items.push(...stretch);
  return items;
}

/** Everything in the dumps. */
export async function readAll(names: readonly string[], stdin = ""): Promise<DumpItem[]> {
  const dumps = await openDumps(names, { stdin: Readable.from([Buffer.from(stdin)]) });
  try {
    return await all(dumps);
  } finally {
    dumps.close();
  }
}

/** Numbers of the traces that an item's spans belong to. */
export function tracesIn(item: DumpItem): number[] {
  if (item.kind !== "batch") return [];
  const { batch } = item;
  return Array.from({ length: batch.spanCount }, (_, row) =>
    Number(`0x${hexAt(batch.rows, spanAt(row) + SpanColumn.traceId, 4)}`),
  );
}

/** The trace numbers of all spans, and what else was found. */
export function summary(items: readonly DumpItem[]): {
  traces: number[];
  logs: number;
  points: number;
  invalid: string[];
  skipped: string[];
} {
  const batches = items.filter((item) => item.kind === "batch");
  return {
    traces: items.flatMap(tracesIn),
    logs: batches.reduce((sum, item) => sum + item.batch.logCount, 0),
    points: batches.reduce((sum, item) => sum + item.dataPoints, 0),
    invalid: items.flatMap((item) => (item.kind === "invalid" ? [`${item.line}: ${item.reason}`] : [])),
    skipped: items.flatMap((item) => (item.kind === "skipped" ? [item.file] : [])),
  };
}
