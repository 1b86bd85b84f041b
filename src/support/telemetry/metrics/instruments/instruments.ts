type InstrumentKind = "counter" | "histogram" | "gauge";

/** One of our metrics, as registered in `docs/telemetry.yaml`. */
export interface Instrument {
  readonly kind: InstrumentKind;
  /** UCUM unit; a unit in braces is an annotation. */
  readonly unit: string;
  readonly brief: string;
  readonly attributes: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const verdictOf = ["agent", "spec", "query"] as const;
const valueOf = ["spec", "query", "layer", "metric"] as const;
const route = ["exporter", "signal", "destination"] as const;

const counter = (unit: string, brief: string, attributes: readonly string[] = []): Instrument => ({
  kind: "counter",
  unit,
  brief,
  attributes,
});
const gauge = (unit: string, brief: string, attributes: readonly string[] = []): Instrument => ({
  kind: "gauge",
  unit,
  brief,
  attributes,
});
const histogram = (
  unit: string,
  brief: string,
  attributes: readonly string[],
  buckets: readonly number[],
): Instrument => ({ kind: "histogram", unit, brief, attributes, buckets });

/** Buckets for any measure: shares in tenths; counts, tokens and milliseconds in steps of about two. */
const anyMeasure = [
  0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
  10_000, 20_000, 50_000, 100_000, 1_000_000,
];
const seconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500];
const tokens = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];
const ratios = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1, 1.5, 2, 3, 5, 10];
const counts = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000];
const ratings = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];
const dollars = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50];

/** All metrics by name. */
export const instruments = {
  "tracejury.verdicts": counter("{verdict}", "Judged runs. A run counts once for each matching spec.", [
    ...verdictOf,
    "outcome",
  ]),
  "tracejury.verdicts.revised": counter(
    "{verdict}",
    "Verdicts that replaced an earlier verdict after late spans. These verdicts are not counted in tracejury.verdicts.",
    [...verdictOf, "outcome"],
  ),
  "tracejury.layer.results": counter("{result}", "Outcomes of the three layers.", [
    ...verdictOf,
    "layer",
    "outcome",
  ]),
  "tracejury.check.results": counter("{result}", "Outcomes of single checks.", [
    "spec",
    "query",
    "layer",
    "check",
    "outcome",
  ]),
  "tracejury.check.tokens": histogram("{token}", "Values of checks that measure tokens.", valueOf, tokens),
  "tracejury.check.cost": histogram("{USD}", "Values of checks that measure US dollars.", valueOf, dollars),
  "tracejury.check.duration": histogram("s", "Values of checks that measure time.", valueOf, seconds),
  "tracejury.check.ratio": histogram(
    "1",
    "Values of checks that measure a ratio; scores from 0 to 100 are divided by 100.",
    valueOf,
    ratios,
  ),
  "tracejury.check.count": histogram(
    "{item}",
    "Values of checks that count something, such as calls, errors or loops.",
    valueOf,
    counts,
  ),
  "tracejury.check.rating": histogram("{rating}", "Ratings of judges, 1 to 5.", valueOf, ratings),
  "tracejury.check.custom": histogram(
    "{value}",
    "Values with an unknown unit: your own checks and scores of retrievers. Filter by one `metric`.",
    valueOf,
    anyMeasure,
  ),
  "tracejury.check.value": histogram(
    "1",
    "Deprecated, to be removed in the next release: values of all checks, in different units. Use the instrument of the unit.",
    valueOf,
    anyMeasure,
  ),
  "tracejury.run.duration": histogram(
    "s",
    "Time from the first start to the last end of a run.",
    ["agent"],
    seconds,
  ),
  "tracejury.run.tokens": histogram(
    "{token}",
    "Tokens of a run, if its usage is known.",
    ["agent", "type"],
    tokens,
  ),
  "tracejury.run.cost": histogram("{USD}", "Cost of a run, if its price is known.", ["agent"], dollars),
  "tracejury.faults": counter(
    "{fault}",
    "Internal errors of Tracejury while it processed a trace or run, by stage. Verdicts of this trace or run are errors; other runs are not affected.",
    ["stage"],
  ),
  "tracejury.runs.unjudged": counter("{run}", "Runs that match no query of a spec, or more than one.", [
    "spec",
    "reason",
  ]),
  "tracejury.decisions": counter("{run}", "Runs by the decision to evaluate them, with its reason.", [
    "decision",
    "reason",
  ]),
  "tracejury.traces.settled": counter("{trace}", "Traces by their final decision. Each trace counts once.", [
    "decision",
  ]),
  "tracejury.traces.split": counter("{trace}", "Traces with spans at another process that shares the store."),
  "tracejury.traces.pending": gauge("{trace}", "Closed traces with runs that are not judged yet."),
  "tracejury.level_changes": counter(
    "{change}",
    "Detected changes of a query's pass rate, cost, latency or tokens. Processes that share a store count each change once.",
    ["spec", "query", "metric", "direction"],
  ),
  "tracejury.reloads": counter("{reload}", "Reloads of specs and configuration, by outcome.", ["outcome"]),
  "tracejury.receiver.requests": counter("{request}", "OTLP requests, by outcome.", [
    "transport",
    "signal",
    "outcome",
  ]),
  "tracejury.receiver.bytes": counter("By", "Bytes of request bodies before decompression.", [
    "transport",
    "signal",
  ]),
  "tracejury.receiver.accepted_spans": counter("{span}", "Spans accepted.", ["transport"]),
  "tracejury.receiver.refused_spans": counter("{span}", "Rejected spans in accepted requests.", [
    "transport",
  ]),
  "tracejury.receiver.accepted_log_records": counter("{record}", "Log records accepted.", ["transport"]),
  "tracejury.receiver.refused_log_records": counter(
    "{record}",
    "Rejected log records in accepted requests.",
    ["transport"],
  ),
  "tracejury.receiver.accepted_metric_points": counter("{point}", "Metric points accepted.", ["transport"]),
  "tracejury.receiver.refused_metric_points": counter(
    "{point}",
    "Rejected metric points in accepted requests.",
    ["transport"],
  ),
  "tracejury.receiver.connections_cut": counter(
    "{connection}",
    "Connections that Tracejury closed, by reason.",
    ["reason"],
  ),
  "tracejury.receiver.model_calls": counter(
    "{request}",
    "Requests to receivers.models: recorded (as a span), dropped (forwarded, but its span was not accepted), passed_on (not a model call), refused (unknown provider), unauthenticated, forbidden.",
    ["outcome"],
  ),
  "tracejury.store.left_out": counter(
    "{run}",
    "Judged runs that the store did not accept: too many waited, or the run was too large.",
  ),
  "tracejury.admin.refused_requests": counter(
    "{request}",
    "Refused requests to the admin port: foreign host or origin, no credentials, or a missing scope.",
    ["reason"],
  ),
  "tracejury.admin.connections_cut": counter(
    "{connection}",
    "Closed connections to the admin port: request too slow, not HTTP, no TLS, too many connections.",
    ["reason"],
  ),
  "tracejury.assembler.open_traces": gauge("{trace}", "Traces that wait for further spans."),
  "tracejury.assembler.open_spans": gauge(
    "{span}",
    "Spans in open traces. The sum with tracejury.assembler.spans is the number of all accepted and recovered spans.",
  ),
  "tracejury.assembler.open_log_records": gauge(
    "{record}",
    "Log records in open traces, or waiting for a span. The sum with tracejury.assembler.log_records is the number of all accepted and recovered log records.",
  ),
  "tracejury.assembler.open_bytes": gauge("By", "Memory of open traces."),
  "tracejury.assembler.closed_traces": counter("{trace}", "Closed traces, by reason.", ["reason"]),
  "tracejury.assembler.spans": counter("{span}", "Spans of closed traces, by outcome.", ["outcome"]),
  "tracejury.assembler.log_records": counter(
    "{record}",
    "Log records, by outcome; `uncorrelated` means that a log record has no trace id and no span.",
    ["outcome"],
  ),
  "tracejury.forward.accepted": counter("{request}", "Requests accepted for forwarding.", ["destination"]),
  "tracejury.forward.recovered": counter("{request}", "Requests in the queue at the start of the process.", [
    "destination",
  ]),
  "tracejury.forward.delivered": counter("{request}", "Requests that the backend accepted.", ["destination"]),
  "tracejury.forward.dropped": counter("{request}", "Requests dropped, by reason.", [
    "destination",
    "reason",
  ]),
  "tracejury.forward.failures": counter("{attempt}", "Failed attempts.", ["destination"]),
  "tracejury.forward.rejected_items": counter(
    "{item}",
    "Spans, log records and data points that the backend rejected in accepted requests.",
    ["destination"],
  ),
  "tracejury.forward.queue_requests": gauge(
    "{request}",
    "Requests that wait for the backend or are in flight.",
    ["destination"],
  ),
  "tracejury.forward.queue_memory": gauge("By", "Memory of waiting requests.", ["destination"]),
  "tracejury.forward.held_traces": gauge("{trace}", "Traces that are held until they are judged.", [
    "destination",
  ]),
  "tracejury.forward.traces": counter("{trace}", "Held traces, by decision and reason.", [
    "destination",
    "decision",
    "reason",
  ]),
  "tracejury.forward.loops": counter("{request}", "Requests that this process had forwarded before."),
  "tracejury.memory.used": gauge("By", "Memory of telemetry in flight: requests, traces, queues."),
  "tracejury.memory.available": gauge(
    "By",
    "Memory available for telemetry in flight. If telemetry needs more memory, requests are rejected.",
  ),
  "tracejury.memory.resident": gauge("By", "Resident memory of the process."),
  "tracejury.memory.limit": gauge("By", "Limit of resident memory."),
  "tracejury.memory.collections": counter(
    "{collection}",
    "Garbage collections that the memory limit caused.",
  ),
  "tracejury.journal.bytes": gauge("By", "Disk space of the journal."),
  "tracejury.journal.live_bytes": gauge("By", "Disk space of the journal that unfinished traces need."),
  "tracejury.journal.segments": gauge("{file}", "Files of the journal."),
  "tracejury.journal.refused_requests": counter(
    "{request}",
    "Requests that the journal could not store: its budget or the disk is full, or a write failed.",
    ["reason"],
  ),
  "tracejury.storage.damage": counter(
    "{place}",
    "Damage in the files of this process, by storage (journal, forward, export, store, store_queue) and kind (record, header, file).",
    ["storage", "kind"],
  ),
  "tracejury.storage.torn_tails": counter(
    "{file}",
    "Incomplete ends of files that a crash left. The ends contained no acknowledged data and were cut off.",
    ["storage"],
  ),
  "tracejury.journal.recovered_spans": counter(
    "{span}",
    "Spans of unfinished traces that this process read from the journal.",
  ),
  "tracejury.journal.recovered_log_records": counter(
    "{record}",
    "Log records of unfinished traces that this process read from the journal.",
  ),
  "tracejury.exporter.taken": counter("{record}", "Records accepted for export.", route),
  "tracejury.exporter.recovered": counter(
    "{record}",
    "Records in the queue at the start of the process.",
    route,
  ),
  "tracejury.exporter.spilled": counter("{record}", "Records written to the queue on disk.", route),
  "tracejury.kafka.records": counter("{record}", "Records read from Kafka, by outcome.", [
    "topic",
    "outcome",
  ]),
  "tracejury.kafka.bytes": counter("By", "Bytes of accepted records.", ["topic"]),
  "tracejury.kafka.lag": gauge("{record}", "Unread records of this process's partitions.", [
    "topic",
    "partition",
  ]),
  "tracejury.kafka.uncommitted": gauge(
    "{record}",
    "Records from the first record that an unfinished trace needs to the last record read. A restart reads these records again.",
    ["topic", "partition"],
  ),
  "tracejury.exporter.sent": counter("{record}", "Records delivered.", route),
  "tracejury.exporter.dropped": counter("{record}", "Records dropped, by reason.", [...route, "reason"]),
  "tracejury.exporter.failures": counter("{attempt}", "Failed requests and writes.", route),
  "tracejury.exporter.queue_records": gauge("{record}", "Waiting records, in memory and on disk.", route),
  "tracejury.exporter.queue_disk": gauge("By", "Disk space of waiting records.", route),
  "tracejury.exporter.queue_bytes": gauge("By", "Memory of waiting records.", route),
} as const satisfies Readonly<Record<string, Instrument>>;

export type MetricName = keyof typeof instruments;
