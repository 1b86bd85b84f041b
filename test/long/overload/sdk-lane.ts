import { setTimeout as sleep } from "node:timers/promises";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { agentTrace, requestAsJson } from "../../chaos/agent-trace.ts";
import type { LooseSpan } from "../../support/reencode.ts";
import { sdkSpans } from "../../support/sdk-spans.ts";

const SERIES = 77;

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

/** An application with the OpenTelemetry SDK among those that flood: a small batch a second, sent again as the SDK does, five times at most. */
export class SdkLane {
  exported = 0;
  lost = 0;
  /** What the SDK said of batches that it gave up, and how often. */
  readonly reasons = new Map<string, number>();
  readonly #exporter: OTLPTraceExporter;
  readonly #open = new Set<Promise<void>>();

  constructor(http: string) {
    this.#exporter = new OTLPTraceExporter({ url: `http://${http}/v1/traces` });
  }

  get spans(): number {
    return this.exported * 4;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const one = this.#export(n).finally(() => this.#open.delete(one));
      this.#open.add(one);
      await sleep(1000);
    }
    await Promise.all(this.#open);
    await this.#exporter.shutdown();
  }

  async #export(n: number): Promise<void> {
    const { root, tools } = agentTrace(SERIES, n, 3);
    const { code, error } = await new Promise<ExportResult>((resolve) => {
      this.#exporter.export(sdkSpans(looseSpans(requestAsJson([...tools, root]))), resolve);
    });
    if (code === 0) this.exported++;
    else {
      const reason = error?.message ?? "unknown";
      this.lost++;
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
  }
}

function looseSpans(body: Uint8Array): LooseSpan[] {
  const { resourceSpans } = JSON.parse(Buffer.from(body).toString());
  const [{ resource, scopeSpans }] = resourceSpans;
  return scopeSpans[0].spans.map((span: LooseSpan["span"]) => ({ resource, scope: {}, span }));
}
