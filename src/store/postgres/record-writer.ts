import type { Pool } from "pg";
import type { ExportEvents, ExportRoute, QueueFill } from "../../export/records/export-events.ts";
import { storeQueueLimits } from "../../export/queue/backend-down.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../../export/queue/delivery-queue.ts";
import type { DiskQueue } from "../../export/queue/disk-queue.ts";
import type { SendResult } from "../../export/queue/send-result.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { JudgedRecord } from "../read/stored.ts";
import { writeRecords } from "../write/write-records.ts";
import { codeOf, inTransaction } from "./connection.ts";
import { lockWriting } from "./schema.ts";
import { runOver } from "./session.ts";
import { markSplit } from "./split-traces.ts";

export interface RecordWriterOptions {
  readonly route: ExportRoute;
  readonly events: ExportEvents;
  readonly diskQueue: DiskQueue | undefined;
  readonly pool: Pool;
  readonly dialect: Dialect;
  /** Resolves when the tables exist; rejects if the tables cannot be created. */
  readonly ready: () => Promise<void>;
  /** Called after a write failed because the tables do not exist, so that they are created again. */
  readonly noTables: () => void;
  readonly onWritten: () => void;
}

/** Writes records in the background, several in one transaction. While the database is unreachable, records wait in memory and on disk. */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #queue: DeliveryQueue;
  #fill: QueueFill | undefined;
  #failures = 0;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    const { route, events, diskQueue } = options;
    this.#queue = createDeliveryQueue({
      route,
      events: {
        ...events,
        watchQueue: (watched, queue) => {
          this.#fill = queue;
          events.watchQueue(watched, queue);
        },
      },
      diskQueue,
      limits: storeQueueLimits,
      send: (records) => this.#send(records),
    });
  }

  /** Number of records that are not written yet. */
  get waiting(): number {
    return this.#fill?.records ?? 0;
  }

  get waitingDiskBytes(): number {
    return this.#fill?.diskBytes ?? 0;
  }

  /** Number of failed attempts to write. */
  get failures(): number {
    return this.#failures;
  }

  add(record: JudgedRecord): Promise<void> {
    return new Promise((resolve) => this.#queue.offer([encodeRecord(record)], resolve));
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  close(timeoutMs: number): Promise<void> {
    return this.#queue.close(timeoutMs);
  }

  async #send(encoded: readonly Uint8Array[]): Promise<SendResult> {
    const { ready, noTables, events, route, onWritten } = this.#options;
    const records = encoded.flatMap((bytes) => decodeRecord(bytes) ?? []);
    let unfit: readonly Error[];
    try {
      await ready();
      unfit = await this.#writeAll(records);
    } catch (error) {
      this.#failures++;
      if (/^42P01|^3F000/.test(codeOf(error))) noTables();
      return { outcome: "retry", error: (error as Error).message, retryAfterMs: 0 };
    }
    const left = encoded.length - records.length + unfit.length;
    const why = unfit[0]?.message ?? "unreadable";
    if (left > 0) events.rejected({ ...route, records: left, why });
    onWritten();
    return { outcome: "delivered", rejected: left };
  }

  /**
   * Writes records in one transaction. If one record causes an error, writes each record alone, so that the other records succeed. Returns
   * the errors of records that cannot be written.
   */
  async #writeAll(records: readonly JudgedRecord[]): Promise<readonly Error[]> {
    try {
      await this.#write(records);
      return [];
    } catch (error) {
      if (!isOfRecord(error)) throw error;
      if (records.length === 1) return [error as Error];
    }
    const unfit: Error[] = [];
    for (const record of records) unfit.push(...(await this.#writeAll([record])));
    return unfit;
  }

  #write(records: readonly JudgedRecord[]): Promise<void> {
    return inTransaction(this.#options.pool, async (client) => {
      await lockWriting(client);
      await runOver(client, writeRecords(this.#options.dialect, records));
      await markSplit(client, [...new Set(records.flatMap(({ run }) => run.traceIds))]);
    });
  }
}

/** Whether the record caused the error, for example by a value that does not fit its column. */
function isOfRecord(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error)) || error instanceof RangeError || error instanceof TypeError;
}

type Written = Omit<JudgedRecord, "telemetry"> & {
  readonly telemetry: readonly (readonly [
    string,
    readonly { readonly signal: string; readonly encoding: string; readonly bytes: string }[],
  ])[];
};

/** Encodes a record as JSON for the disk queue, from which the next process may read it. */
function encodeRecord(record: JudgedRecord): Uint8Array {
  const telemetry = [...(record.telemetry ?? [])].map(([traceId, parts]) => [
    traceId,
    parts.map(({ signal, encoding, bytes }) => ({
      signal,
      encoding,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    })),
  ]);
  return Buffer.from(JSON.stringify({ ...record, telemetry }));
}

/** Decodes a record. Returns null for invalid bytes. */
function decodeRecord(bytes: Uint8Array): JudgedRecord | null {
  try {
    const { telemetry, ...rest } = JSON.parse(Buffer.from(bytes).toString()) as Written;
    const parts = telemetry.map(
      ([traceId, all]) =>
        [
          traceId,
          all.map((part) => ({
            signal: part.signal === "logs" ? ("logs" as const) : ("traces" as const),
            encoding: part.encoding === "json" ? ("json" as const) : ("protobuf" as const),
            bytes: Buffer.from(part.bytes, "base64"),
          })),
        ] as const,
    );
    return { ...rest, telemetry: new Map(parts) };
  } catch {
    return null;
  }
}
