import { expect, test } from "vitest";
import { traceBytes } from "../../src/assemble/batches/trace-bytes.ts";
import type { AttributesView, LogView } from "../../src/model/telemetry/span-view.ts";
import { tracesOf } from "../support/runs.ts";
import { log, logDocument } from "../support/otlp.ts";

test("a resource is decoded once per request, however many records it has", () => {
  const records = Array.from({ length: 300 }, (_, at) => log("x", "note", `words ${at}`, {}, at));
  const sent = logDocument(records);
  const [trace] = tracesOf([sent]);
  if (trace === undefined) throw new Error("no trace");

  let reads = 0;
  for (const one of trace.uncorrelatedLogs) {
    const { resource } = one;
    const counting: AttributesView = Object.create(resource, {
      keys: { value: () => (reads++, resource.keys()) },
    }) as AttributesView;
    Object.defineProperty(one satisfies LogView, "resource", { value: counting });
  }
  const [message] = traceBytes(trace);

  expect(reads).toBe(1);
  const again = JSON.parse(new TextDecoder().decode(message?.bytes)) as typeof sent;
  expect(JSON.stringify(again)).toContain("words 299");
});
