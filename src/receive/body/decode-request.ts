import { isUtf8 } from "node:buffer";
import type { Batch } from "../../otlp/rows/batch.ts";
import { readLogsJson, readMetricsJson, readTracesJson } from "../../otlp/json/read-json.ts";
import { readLogs, readMetrics, readTraces } from "../../otlp/protobuf/read-protobuf.ts";
import type { MetricsResult, ReadResult, Unreadable } from "../../otlp/read-result.ts";
import type { Encoding, Signal } from "../../otlp/signal.ts";

/** A decoded request body. For metrics the batch is null, because only the data points are counted. */
export type Decoded =
  { readonly ok: true; readonly batch: Batch | null; readonly dataPoints: number } | Unreadable;

/** Decodes the body of a request. Afterwards the body belongs to the batch, and the caller must not change it. */
export function decodeRequest(body: Uint8Array, signal: Signal, encoding: Encoding): Decoded {
  if (encoding === "json" && !isUtf8(body)) {
    return { ok: false, message: "the JSON text is not valid UTF-8", offset: 0 };
  }
  if (signal === "metrics") {
    const result: MetricsResult = encoding === "json" ? readMetricsJson(body, true) : readMetrics(body);
    return result.ok ? { ok: true, batch: null, dataPoints: result.dataPoints } : result;
  }
  const result = readBatch(body, signal, encoding);
  return result.ok ? { ok: true, batch: result.batch, dataPoints: 0 } : result;
}

function readBatch(body: Uint8Array, signal: "traces" | "logs", encoding: Encoding): ReadResult {
  if (encoding === "json") return signal === "traces" ? readTracesJson(body, true) : readLogsJson(body, true);
  return signal === "traces" ? readTraces(body) : readLogs(body);
}
