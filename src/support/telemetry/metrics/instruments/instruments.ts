type InstrumentKind = "counter" | "histogram" | "gauge";

/** One of our metrics, as `docs/telemetry.yaml` registers it. */
export interface Instrument {
  readonly kind: InstrumentKind;
  /** UCUM; words in braces are annotations. */
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

/** Shares in tenths, then counts, tokens and milliseconds in steps of about two. */
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

/** Everything we count and measure, by metric name. */
export const instruments = {
  "tracejury.verdicts": counter("{verdict}", "Runs judged, each once for every spec it was matched to.", [
    ...verdictOf,
    "outcome",
  ]),
  "tracejury.verdicts.revised": counter(
    "{verdict}",
    "Verdicts that replaced an earlier one because spans came late; not counted in tracejury.verdicts.",
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
    "Values of checks that measure a share or another quotient; scores of 0 to 100 as 0 to 1.",
    valueOf,
    ratios,
  ),
  "tracejury.check.count": histogram(
    "{item}",
    "Values of checks that count calls, errors, loops and the like.",
    valueOf,
    counts,
  ),
  "tracejury.check.rating": histogram("{rating}", "Ratings of judges, 1 to 5.", valueOf, ratings),
  "tracejury.check.custom": histogram(
    "{value}",
    "Values whose unit is not known to us: checks of your own and scores of retrievers. Look at one `metric` at a time.",
    valueOf,
    anyMeasure,
  ),
  "tracejury.check.value": histogram(
    "1",
    "Deprecated, gone in the next release: values of all checks, each in its metric's own unit. Use the instrument of the unit.",
    valueOf,
    anyMeasure,
  ),
  "tracejury.run.duration": histogram(
    "s",
    "Time from a run's first start to its last end.",
    ["agent"],
    seconds,
  ),
  "tracejury.run.tokens": histogram(
    "{token}",
    "Tokens of a run; runs whose usage is unknown are left out.",
    ["agent", "type"],
    tokens,
  ),
  "tracejury.run.cost": histogram(
    "{USD}",
    "Price of a run; runs whose price is unknown are left out.",
    ["agent"],
    dollars,
  ),
  "tracejury.faults": counter(
    "{fault}",
    "Work on one trace or run that failed for a fault of ours, by stage: its verdicts are errors, and others go on.",
    ["stage"],
  ),
  "tracejury.runs.unjudged": counter("{run}", "Runs that no query of a spec claims, or more than one.", [
    "spec",
    "reason",
  ]),
  "tracejury.decisions": counter("{run}", "Runs by whether they were evaluated, and why or why not.", [
    "decision",
    "reason",
  ]),
  "tracejury.traces.settled": counter("{trace}", "Traces by what has become of them, each once.", [
    "decision",
  ]),
  "tracejury.traces.split": counter(
    "{trace}",
    "Traces of which spans went to another process that shares the store.",
  ),
  "tracejury.traces.pending": gauge("{trace}", "Traces that are closed and whose runs are not all judged."),
  "tracejury.level_changes": counter(
    "{change}",
    "Changes of the level of a query's pass rate, cost, latency or tokens, each once for all processes that share a store.",
    ["spec", "query", "metric", "direction"],
  ),
  "tracejury.reloads": counter(
    "{reload}",
    "Times that specs and configuration were read again, by how it went.",
    ["outcome"],
  ),
  "tracejury.receiver.requests": counter("{request}", "OTLP requests, by how they ended.", [
    "transport",
    "signal",
    "outcome",
  ]),
  "tracejury.receiver.bytes": counter("By", "Bytes of request bodies as sent, before decompression.", [
    "transport",
    "signal",
  ]),
  "tracejury.receiver.accepted_spans": counter("{span}", "Spans accepted.", ["transport"]),
  "tracejury.receiver.refused_spans": counter(
    "{span}",
    "Spans rejected; the rest of their request was accepted.",
    ["transport"],
  ),
  "tracejury.receiver.accepted_log_records": counter("{record}", "Log records accepted.", ["transport"]),
  "tracejury.receiver.refused_log_records": counter(
    "{record}",
    "Log records rejected; the rest of their request was accepted.",
    ["transport"],
  ),
  "tracejury.receiver.accepted_metric_points": counter("{point}", "Metric points accepted.", ["transport"]),
  "tracejury.receiver.refused_metric_points": counter(
    "{point}",
    "Metric points rejected; the rest of their request was accepted.",
    ["transport"],
  ),
  "tracejury.receiver.connections_cut": counter(
    "{connection}",
    "Connections that were cut, by what they kept us waiting for.",
    ["reason"],
  ),
  "tracejury.receiver.model_calls": counter(
    "{request}",
    "Requests to receivers.models: recorded as a span, dropped (passed on, its span not taken), passed_on (no model call), refused (no such provider), unauthenticated, forbidden.",
    ["outcome"],
  ),
  "tracejury.store.left_out": counter(
    "{run}",
    "Judged runs that the store did not take: too many waited, or they are too large.",
  ),
  "tracejury.admin.refused_requests": counter(
    "{request}",
    "Requests to the admin port that were not let in: a foreign host or origin, no credentials, or without the scope.",
    ["reason"],
  ),
  "tracejury.admin.connections_cut": counter(
    "{connection}",
    "Connections to the admin port that were closed: a request that did not come in time, no HTTP, no TLS, too many.",
    ["reason"],
  ),
  "tracejury.assembler.open_traces": gauge("{trace}", "Traces that wait for more spans."),
  "tracejury.assembler.open_spans": gauge(
    "{span}",
    "Spans that wait for more of their trace; with tracejury.assembler.spans the sum of accepted and recovered ones.",
  ),
  "tracejury.assembler.open_log_records": gauge(
    "{record}",
    "Log records that wait for more of their trace, or for a span; with tracejury.assembler.log_records the sum of accepted and recovered ones.",
  ),
  "tracejury.assembler.open_bytes": gauge("By", "Memory of traces that wait for more spans."),
  "tracejury.assembler.closed_traces": counter("{trace}", "Traces released, by what closed them.", [
    "reason",
  ]),
  "tracejury.assembler.spans": counter("{span}", "What became of the spans of closed traces.", ["outcome"]),
  "tracejury.assembler.log_records": counter(
    "{record}",
    "What became of log records; `uncorrelated` for those that name no trace and found no span.",
    ["outcome"],
  ),
  "tracejury.forward.accepted": counter("{request}", "Requests accepted for forwarding.", ["destination"]),
  "tracejury.forward.recovered": counter(
    "{request}",
    "Requests that an earlier run of the process left to be sent on.",
    ["destination"],
  ),
  "tracejury.forward.delivered": counter("{request}", "Requests that the backend took.", ["destination"]),
  "tracejury.forward.dropped": counter("{request}", "Requests dropped, by reason.", [
    "destination",
    "reason",
  ]),
  "tracejury.forward.failures": counter("{attempt}", "Attempts that went wrong.", ["destination"]),
  "tracejury.forward.rejected_items": counter(
    "{item}",
    "Spans, log records and data points that the backend rejected in accepted requests.",
    ["destination"],
  ),
  "tracejury.forward.queue_requests": gauge(
    "{request}",
    "Requests that wait for the backend, or are on their way.",
    ["destination"],
  ),
  "tracejury.forward.queue_memory": gauge("By", "Memory of requests that wait for the backend.", [
    "destination",
  ]),
  "tracejury.forward.held_traces": gauge("{trace}", "Traces that wait to be judged before they go on.", [
    "destination",
  ]),
  "tracejury.forward.traces": counter("{trace}", "Traces that were held, by whether they went on, and why.", [
    "destination",
    "decision",
    "reason",
  ]),
  "tracejury.forward.loops": counter("{request}", "Requests that came back after they had been sent on."),
  "tracejury.memory.used": gauge(
    "By",
    "Memory for telemetry in flight: requests on their way, traces, queues.",
  ),
  "tracejury.memory.available": gauge(
    "By",
    "Memory for telemetry in flight that there is; beyond it requests are refused.",
  ),
  "tracejury.memory.resident": gauge("By", "Resident memory of the process."),
  "tracejury.memory.limit": gauge("By", "What resident memory is kept below."),
  "tracejury.memory.collections": counter(
    "{collection}",
    "Garbage collections that the limit made necessary.",
  ),
  "tracejury.journal.bytes": gauge("By", "Disk space of the journal."),
  "tracejury.journal.live_bytes": gauge("By", "The part of it that unfinished traces need."),
  "tracejury.journal.segments": gauge("{file}", "Files of the journal."),
  "tracejury.journal.refused_requests": counter(
    "{request}",
    "Requests refused because they could not be kept: the budget or the disk is full, or it cannot be written.",
    ["reason"],
  ),
  "tracejury.storage.damage": counter(
    "{place}",
    "Damage found in the files of this process, by storage (journal, forward, export, store, store_queue) and what was hit (record, header, file).",
    ["storage", "kind"],
  ),
  "tracejury.storage.torn_tails": counter(
    "{file}",
    "Ends of files that were cut off, as a crash broke off the last write; nothing acknowledged is in them.",
    ["storage"],
  ),
  "tracejury.journal.recovered_spans": counter("{span}", "Spans that an earlier process left unfinished."),
  "tracejury.journal.recovered_log_records": counter(
    "{record}",
    "Log records that an earlier process left unfinished.",
  ),
  "tracejury.exporter.taken": counter("{record}", "Records handed over to be sent.", route),
  "tracejury.exporter.recovered": counter(
    "{record}",
    "Records that an earlier run of the process left to be sent.",
    route,
  ),
  "tracejury.exporter.spilled": counter(
    "{record}",
    "Records that were not sent at once and wait on the disk.",
    route,
  ),
  "tracejury.kafka.records": counter("{record}", "Records read from Kafka, by what became of them.", [
    "topic",
    "outcome",
  ]),
  "tracejury.kafka.bytes": counter("By", "Bytes of accepted records.", ["topic"]),
  "tracejury.kafka.lag": gauge("{record}", "Records of our partitions that are not read yet.", [
    "topic",
    "partition",
  ]),
  "tracejury.kafka.uncommitted": gauge(
    "{record}",
    "Records from the first that an unfinished trace needs to the last read: what would be read again.",
    ["topic", "partition"],
  ),
  "tracejury.exporter.sent": counter("{record}", "Records delivered.", route),
  "tracejury.exporter.dropped": counter("{record}", "Records dropped, by reason.", [...route, "reason"]),
  "tracejury.exporter.failures": counter("{attempt}", "Requests and writes that went wrong.", route),
  "tracejury.exporter.queue_records": gauge(
    "{record}",
    "Records that wait to be sent, in memory and on the disk.",
    route,
  ),
  "tracejury.exporter.queue_disk": gauge("By", "Disk space of records that wait to be sent.", route),
  "tracejury.exporter.queue_bytes": gauge("By", "Memory of records that wait to be sent.", route),
} as const satisfies Readonly<Record<string, Instrument>>;

export type MetricName = keyof typeof instruments;
