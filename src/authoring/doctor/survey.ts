import type { Adapter } from "../../runs/adapter.ts";
import { createFieldTable } from "../../runs/layout/field-table.ts";
import { Histories } from "../../runs/messages/history.ts";
import { FieldReader } from "../../runs/span/span-reading.ts";
import type { Trace } from "../../assemble/trace.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import { producerOf } from "./producers/known.ts";
import type { Producer } from "./producers/producer.ts";

const SDK_LANGUAGE = key("telemetry.sdk.language");
const SDK_NAME = key("telemetry.sdk.name");
const SDK_VERSION = key("telemetry.sdk.version");

/** Bounds the scopes and services that are distinguished, which senders name. */
const MOST = 500;

/** One instrumentation as it was seen. */
export interface SeenProducer {
  readonly scope: string;
  readonly version: string;
  /** `python opentelemetry 1.45.2`; empty when the sender does not say. */
  readonly sdk: string;
  readonly spans: number;
  /** Dialects that its spans speak, by name. */
  readonly dialects: readonly string[];
  /** What is known of it; undefined for an instrumentation of something else, or one nobody has described. */
  readonly known: Producer | undefined;
}

interface Tally {
  readonly scope: string;
  readonly version: string;
  readonly sdk: string;
  spans: number;
  readonly marks: Set<number>;
}

/** Which instrumentations wrote the spans of traces, and in which dialects. */
export class Survey {
  traces = 0;
  spans = 0;
  logRecords = 0;
  /** Spans from which the sender's SDK had dropped attributes. */
  cutSpans = 0;
  readonly #adapters: readonly Adapter[];
  readonly #reader: FieldReader;
  readonly #tallies = new Map<string, Tally>();
  readonly #named = new Set<string>();

  constructor(adapters: readonly Adapter[]) {
    this.#adapters = adapters;
    this.#reader = new FieldReader(createFieldTable(adapters));
  }

  add(trace: Trace): void {
    this.traces += 1;
    this.spans += trace.spans.length;
    this.logRecords += trace.uncorrelatedLogs.length;
    const histories = new Histories();
    for (const span of trace.spans) {
      this.logRecords += span.logs.length;
      if (span.droppedAttributes > 0) this.cutSpans += 1;
      const reading = this.#reader.read(span, histories);
      if (reading.text("agent") !== undefined) this.#named.add(trace.traceId);
      const tally = this.#tallyOf(span.scopeName, span.scopeVersion, sdkOf(span.resource));
      if (tally === undefined) continue;
      tally.spans += 1;
      for (const mark of reading.dialects.marks) tally.marks.add(mark);
    }
  }

  /** Whether a span of one of these traces says an agent's name. Asked once a run: the traces are forgotten. */
  takeNamed(traceIds: readonly string[]): boolean {
    return traceIds.map((id) => this.#named.delete(id)).includes(true);
  }

  /** Those that write most first. */
  producers(): readonly SeenProducer[] {
    return [...this.#tallies.values()]
      .sort((a, b) => b.spans - a.spans || (a.scope < b.scope ? -1 : 1))
      .map(({ scope, version, sdk, spans, marks }) => {
        const dialects = this.#adapters.flatMap(({ dialect }, at) => (marks.has(at) ? [dialect] : []));
        return { scope, version, sdk, spans, dialects, known: producerOf(scope, dialects) };
      });
  }

  #tallyOf(scope: string, version: string, sdk: string): Tally | undefined {
    const id = `${scope}\u0000${version}\u0000${sdk}`;
    let tally = this.#tallies.get(id);
    if (tally === undefined && this.#tallies.size < MOST) {
      this.#tallies.set(id, (tally = { scope, version, sdk, spans: 0, marks: new Set() }));
    }
    return tally;
  }
}

function sdkOf(resource: AttributesView): string {
  return [SDK_LANGUAGE, SDK_NAME, SDK_VERSION]
    .map((name) => resource.text(name) ?? "")
    .filter((text) => text !== "")
    .join(" ");
}
