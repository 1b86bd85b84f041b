import { adaptersWith } from "../../replay/engine.ts";
import { messageJson } from "../../report/json/run-json.ts";
import { createSpanMessageReader } from "../../runs/span/span-messages.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import type { TelemetryReading } from "../../store/archive.ts";
import { spanViewsOf, telemetryReading } from "../../store/read/read-telemetry.ts";

/** @param dialects of the configuration as it is now */
export function telemetryReadingBy(dialects: () => readonly DialectTable[]): TelemetryReading {
  return {
    ...telemetryReading,
    messages: (parts, spanId) => {
      const span = spanViewsOf(parts).find((one) => one.spanId === spanId);
      if (span === undefined) return Promise.resolve(undefined);
      const { inputs, outputs } = createSpanMessageReader(adaptersWith(dialects()))(span);
      return Promise.resolve({ input: inputs.map(messageJson), output: outputs.map(messageJson) });
    },
  };
}
