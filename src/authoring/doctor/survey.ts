import type { Adapter } from "../../../adapters/adapter-type.ts";
import { FieldPlans } from "../../runs/facts/field-plan.ts";
import { FieldTable } from "../../runs/facts/field-table.ts";
import { producerOf } from "../../runs/facts/producers.ts";
import { nameOfRecord } from "../../runs/facts/events.ts";
import { RecordView } from "../../runs/facts/record-view.ts";
import { SpanFacts } from "../../runs/facts/span-facts.ts";
import { TraceValues } from "../../runs/facts/trace-values.ts";
import type { Trace } from "../../assemble/trace.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { Producer } from "../../../adapters/producer-type.ts";

const SDK_LANGUAGE = key("telemetry.sdk.language");
const SDK_NAME = key("telemetry.sdk.name");
const SDK_VERSION = key("telemetry.sdk.version");

/**
 * Maximum number of distinct instrumentations (scope, version and SDK), because senders of telemetry choose
 * these names.
 */
const MOST = 500;

export interface SeenProducer {
  readonly scope: string;
  readonly version: string;
  /** SDK of the sender, such as `python opentelemetry 1.45.2`. Empty if unknown. */
  readonly sdk: string;
  readonly spans: number;
  /** Number of this instrumentation's log records in traces without spans. */
  readonly logRecords: number;
  /** Names of the dialects of the instrumentation's spans and log records. */
  readonly dialects: readonly string[];
  /**
   * The adapters' description of the instrumentation. Undefined if no adapter describes the instrumentation.
   */
  readonly known: Producer | undefined;
}

/**
 * What the traces of one run contain. Pass `producers` to `Survey.producers` to describe the
 * instrumentations.
 */
export interface TakenTraces {
  readonly namesAgent: boolean;
  readonly producers: ReadonlySet<object>;
}

interface SeenTrace {
  namesAgent: boolean;
  /** Instrumentations whose spans have a known dialect, and instrumentations of log records in a trace without spans. */
  readonly producers: Set<Tally>;
}

interface Tally {
  readonly scope: string;
  readonly version: string;
  readonly sdk: string;
  spans: number;
  logRecords: number;
  readonly dialects: Set<string>;
}

/** Counts, for each instrumentation, the spans it wrote and their dialects. */
export class Survey {
  traces = 0;
  spans = 0;
  logRecords = 0;
  /** Number of spans with attributes that the sender's SDK dropped, or that exceed the limits of decoded values. */
  spansCut = 0;
  readonly #adapters: readonly Adapter[];
  readonly #plans: FieldPlans;
  readonly #tallies = new Map<string, Tally>();
  readonly #traces = new Map<string, SeenTrace>();

  constructor(adapters: readonly Adapter[]) {
    this.#adapters = adapters;
    this.#plans = new FieldPlans(new FieldTable(adapters));
  }

  add(trace: Trace): void {
    this.traces += 1;
    this.spans += trace.spans.length;
    // If the service also sends spans of this session, those spans usually have the same log records, so the log records of this trace are
    // not counted.
    if (trace.isBesideSpans !== true) this.logRecords += trace.uncorrelatedLogs.length;
    const values = new TraceValues();
    const seen: SeenTrace = this.#traces.get(trace.traceId) ?? { namesAgent: false, producers: new Set() };
    for (const span of trace.spans) {
      this.logRecords += span.logs.length;
      if (span.droppedAttributes > 0) this.spansCut += 1;
      const plan = this.#plans.of(span);
      const facts = new SpanFacts(span, plan, plan.dialectsOf(span.scopeName), values);
      if (facts.agent !== null) seen.namesAgent = true;
      const tally = this.#tallyOf(span.scopeName, span.scopeVersion, sdkOf(span.resource));
      if (tally === undefined) continue;
      tally.spans += 1;
      for (const { dialect } of facts.dialects.adapters) {
        tally.dialects.add(dialect);
        seen.producers.add(tally);
      }
    }
    if (trace.spans.length === 0) this.#addRecords(trace, seen);
    if (seen.namesAgent || seen.producers.size > 0) this.#traces.set(trace.traceId, seen);
  }

  /**
   * Counts the log records of an agent that sends no spans. The scope of the log records is used as the run's
   * instrumentation.
   */
  #addRecords({ uncorrelatedLogs, traceId, isBesideSpans }: Trace, seen: SeenTrace): void {
    for (const log of uncorrelatedLogs) {
      const host = { traceId, spanId: "", scopeName: log.scopeName, resource: log.resource };
      const plan = this.#plans.of(new RecordView(log, nameOfRecord(log), host, log.timeUnixMs));
      const tally = this.#tallyOf(log.scopeName, "", sdkOf(log.resource));
      if (tally === undefined) continue;
      if (isBesideSpans !== true) tally.logRecords += 1;
      for (const { dialect } of plan.dialectsOf(log.scopeName).adapters) tally.dialects.add(dialect);
      seen.producers.add(tally);
    }
  }

  /**
   * Returns what a run's traces contain, and deletes these traces, so that each run can be read only once.
   */
  takeTraces(traceIds: readonly string[]): TakenTraces {
    const producers = new Set<object>();
    let namesAgent = false;
    for (const id of traceIds) {
      const seen = this.#traces.get(id);
      if (seen === undefined) continue;
      this.#traces.delete(id);
      namesAgent ||= seen.namesAgent;
      for (const producer of seen.producers) producers.add(producer);
    }
    return { namesAgent, producers };
  }

  /**
   * Returns the instrumentations, the one with the most spans first.
   * @param of selects instrumentations, as `takeTraces` returns them; by default all
   */
  producers(of?: ReadonlySet<object>): readonly SeenProducer[] {
    return [...this.#tallies.values()]
      .filter((tally) => (of === undefined ? tally.spans + tally.logRecords > 0 : of.has(tally)))
      .sort((a, b) => b.spans - a.spans || b.logRecords - a.logRecords || (a.scope < b.scope ? -1 : 1))
      .map(({ dialects: names, ...tally }) => {
        const dialects = this.#adapters.flatMap(({ dialect }) => (names.has(dialect) ? [dialect] : []));
        return { ...tally, dialects, known: producerOf(this.#adapters, tally.scope, dialects) };
      });
  }

  #tallyOf(scope: string, version: string, sdk: string): Tally | undefined {
    const id = `${scope}\u0000${version}\u0000${sdk}`;
    let tally = this.#tallies.get(id);
    if (tally === undefined && this.#tallies.size < MOST) {
      this.#tallies.set(id, (tally = { scope, version, sdk, spans: 0, logRecords: 0, dialects: new Set() }));
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
