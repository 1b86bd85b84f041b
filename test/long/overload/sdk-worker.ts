import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { agentTrace, requestAsJson } from "../../chaos/agent-trace.ts";
import type { LooseSpan } from "../../support/reencode.ts";
import { sdkSpans } from "../../support/sdk-spans.ts";

/** Batches of an application with the OpenTelemetry SDK: one per second, with up to five retries by the SDK. */
export interface SdkAccount {
  readonly exported: number;
  readonly spans: number;
  readonly lost: number;
  /** The SDK's errors for lost batches. */
  readonly reasons: readonly string[];
}

const { http, ms } = workerData as { readonly http: number; readonly ms: number };
const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${http}/v1/traces` });
const reasons = new Set<string>();
let [exported, spans, lost] = [0, 0, 0];

function exportOne(n: number): Promise<void> {
  const { root, tools } = agentTrace(77, n, 3);
  const { resourceSpans } = JSON.parse(Buffer.from(requestAsJson([...tools, root])).toString());
  const [{ resource, scopeSpans }] = resourceSpans;
  const batch: LooseSpan[] = scopeSpans[0].spans.map((span: LooseSpan["span"]) => ({
    resource,
    scope: {},
    span,
  }));
  return new Promise((resolve) => {
    exporter.export(sdkSpans(batch), ({ error }) => {
      if (error === undefined) {
        exported++;
        spans += batch.length;
      } else {
        lost++;
        reasons.add(error.message);
      }
      resolve();
    });
  });
}

const open: Promise<void>[] = [];
for (const until = performance.now() + ms; performance.now() < until; await sleep(1000))
  open.push(exportOne(open.length));
await Promise.all(open);
await exporter.shutdown();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage({ exported, spans, lost, reasons: [...reasons] } satisfies SdkAccount);
