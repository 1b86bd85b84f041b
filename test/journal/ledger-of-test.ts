import { DeliveryLedger, type DeliveryLedgerOptions } from "../../src/journal/delivery-ledger.ts";
import { readLogsJson, readTracesJson } from "../../src/otlp/json/read-json.ts";
import type { Batch } from "../../src/otlp/rows/batch.ts";

/** The batch of an OTLP/JSON document. */
export function batchIn(document: Readonly<Record<string, unknown>>): Batch {
  const bytes = Buffer.from(JSON.stringify(document));
  const read = "resourceLogs" in document ? readLogsJson(bytes, true) : readTracesJson(bytes, true);
  if (!read.ok) throw new Error(read.message);
  return read.batch;
}

type Options = DeliveryLedgerOptions<number>;

/** A ledger over a journal whose notes are written at once. */
export function ledgerOver(
  journal: Partial<Options["journal"]>,
  options: Partial<Omit<Options, "journal">> = {},
): DeliveryLedger<number> {
  return new DeliveryLedger<number>({
    journal: {
      release: () => undefined,
      noteJudged: () => Promise.resolve(0),
      noteDelivered: () => Promise.resolve(0),
      noteForwarded: () => Promise.resolve(0),
      finish: () => Promise.resolve(),
      makeRoom: () => Promise.resolve(),
      ...journal,
    },
    resume: () => null,
    isUnfinished: () => true,
    uncorrelatedMs: 1_000,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}
