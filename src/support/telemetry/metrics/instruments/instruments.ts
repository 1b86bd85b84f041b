type InstrumentKind = "counter" | "histogram" | "gauge";

/** A metric of Tracejury, as registered in `docs/telemetry.yaml`. */
export interface Instrument {
  readonly kind: InstrumentKind;
  /** UCUM unit. A text in braces, such as `{verdict}`, is an annotation and no unit. */
  readonly unit: string;
  readonly brief: string;
  readonly attributes: readonly string[];
  readonly buckets?: readonly number[];
}

/** Upper bounds of histogram buckets, by the names that `table` uses. */
const buckets: Readonly<Record<string, readonly number[]>> = {
  /** For values of unknown unit. The buckets have steps of 0.1 up to 1, for ratios, and above 1 steps by a factor of about two. */
  anyMeasure: [
    0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
    10_000, 20_000, 50_000, 100_000, 1_000_000,
  ],
  seconds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500],
  tokens: [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000],
  ratios: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1, 1.5, 2, 3, 5, 10],
  counts: [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000],
  ratings: [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5],
  dollars: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50],
};

/** One metric in each line: name, kind (for a histogram with the name of its buckets), unit, attributes, description. */
const table = `
  tracejury.verdicts | counter | {verdict} | agent spec query outcome | Verdicts. A run has one verdict for each spec that has a matching query.
  tracejury.verdicts.revised | counter | {verdict} | agent spec query outcome | Verdicts that replaced an earlier verdict of the same run after late spans, not counted in tracejury.verdicts.
  tracejury.layer.results | counter | {result} | agent spec query layer outcome | Results of the three layers of verdicts.
  tracejury.check.results | counter | {result} | spec query layer check outcome | Results of single checks.
  tracejury.check.tokens | histogram tokens | {token} | spec query layer metric | Values of checks in tokens.
  tracejury.check.cost | histogram dollars | {USD} | spec query layer metric | Values of checks in US dollars.
  tracejury.check.duration | histogram seconds | s | spec query layer metric | Values of checks in seconds.
  tracejury.check.ratio | histogram ratios | 1 | spec query layer metric | Values of checks that are ratios. Scores from 0 to 100 are divided by 100.
  tracejury.check.count | histogram counts | {item} | spec query layer metric | Values of checks that are counts, such as calls, errors or loops.
  tracejury.check.rating | histogram ratings | {rating} | spec query layer metric | Ratings of judges, 1 to 5.
  tracejury.check.custom | histogram anyMeasure | {value} | spec query layer metric | Values with an unknown unit, from your own checks and scores of retrievers. Filter by one \`metric\`.
  tracejury.check.value | histogram anyMeasure | 1 | spec query layer metric | Deprecated, removed in the next release: values of all checks, in different units. Use the instrument of the unit.
  tracejury.run.duration | histogram seconds | s | agent | Time from the first start of a span of a run to the last end of a span.
  tracejury.run.tokens | histogram tokens | {token} | agent type | Tokens of a run, if its usage is known.
  tracejury.run.cost | histogram dollars | {USD} | agent | Cost of a run, if its price is known.
  tracejury.faults | counter | {fault} | stage | Internal errors while a trace or run was processed. The verdicts of this trace or run have the outcome error; other runs are not affected.
  tracejury.runs.unjudged | counter | {run} | spec reason | Runs without a verdict: they match no query of any spec, or several queries of one spec.
  tracejury.decisions | counter | {run} | decision reason | Sampling decisions about runs.
  tracejury.traces.settled | counter | {trace} | decision | Traces, each counted once, by the final decision about the trace.
  tracejury.traces.split | counter | {trace} | - | Traces of which another process with the same store also received spans.
  tracejury.traces.pending | gauge | {trace} | - | Closed traces that have a run that is not judged yet.
  tracejury.level_changes | counter | {change} | spec query metric direction | Detected changes of a query's pass rate, cost, latency or tokens; once for all processes of a store.
  tracejury.reloads | counter | {reload} | outcome | Reloads of specs and configuration.
  tracejury.receiver.requests | counter | {request} | transport signal outcome | OTLP requests.
  tracejury.receiver.bytes | counter | By | transport signal | Bytes of request bodies before decompression.
  tracejury.receiver.accepted_spans | counter | {span} | transport | Accepted spans.
  tracejury.receiver.refused_spans | counter | {span} | transport | Rejected spans, such as spans with an invalid id, in accepted requests.
  tracejury.receiver.accepted_log_records | counter | {record} | transport | Accepted log records.
  tracejury.receiver.refused_log_records | counter | {record} | transport | Rejected log records in accepted requests.
  tracejury.receiver.accepted_metric_points | counter | {point} | transport | Accepted metric points.
  tracejury.receiver.refused_metric_points | counter | {point} | transport | Rejected metric points in accepted requests.
  tracejury.receiver.connections_cut | counter | {connection} | reason | Connections of senders that Tracejury closed.
  tracejury.receiver.model_calls | counter | {request} | outcome | Requests to receivers.models: recorded (as a span), dropped (forwarded without a span), passed_on (not a model call), refused (unknown provider), unauthenticated, forbidden.
  tracejury.store.left_out | counter | {run} | - | Runs that were not stored: above store.max_per_second, too many runs waiting, or the store could not write the run.
  tracejury.admin.refused_requests | counter | {request} | reason | Refused requests to the admin port: foreign host or origin, no credentials, or a missing scope.
  tracejury.admin.connections_cut | counter | {connection} | reason | Closed connections to the admin port: request too slow, not HTTP, no TLS, too many connections.
  tracejury.assembler.open_traces | gauge | {trace} | - | Traces that wait for further spans.
  tracejury.assembler.open_spans | gauge | {span} | - | Spans in open traces. The sum of this value and tracejury.assembler.spans is the number of accepted and recovered spans.
  tracejury.assembler.open_log_records | gauge | {record} | - | Log records in open traces or waiting for a span. The sum of this value and tracejury.assembler.log_records is the number of accepted and recovered log records.
  tracejury.assembler.open_bytes | gauge | By | - | Memory of open traces.
  tracejury.assembler.closed_traces | counter | {trace} | reason | Closed traces.
  tracejury.assembler.spans | counter | {span} | outcome | Spans, by what happened to them.
  tracejury.assembler.log_records | counter | {record} | outcome | Log records.
  tracejury.forward.accepted | counter | {request} | destination | Requests accepted for forwarding.
  tracejury.forward.recovered | counter | {request} | destination | Requests that were in the queue on disk or in the journal when the process started.
  tracejury.forward.delivered | counter | {request} | destination | Requests that the backend accepted.
  tracejury.forward.dropped | counter | {request} | destination reason | Dropped requests.
  tracejury.forward.failures | counter | {attempt} | destination | Failed attempts to forward a request.
  tracejury.forward.rejected_items | counter | {item} | destination | Spans, log records and data points rejected in accepted requests.
  tracejury.forward.queue_requests | gauge | {request} | destination | Requests that wait for the backend or are in flight.
  tracejury.forward.queue_memory | gauge | By | destination | Memory of waiting requests.
  tracejury.forward.held_traces | gauge | {trace} | destination | Traces held until they are judged.
  tracejury.forward.traces | counter | {trace} | destination decision reason | Held traces, by the decision whether they are forwarded.
  tracejury.forward.loops | counter | {request} | - | Requests that already passed through this process and are not forwarded again.
  tracejury.memory.used | gauge | By | - | Memory of telemetry that is being processed: requests, traces, queues.
  tracejury.memory.available | gauge | By | - | Limit of tracejury.memory.used. Above this limit, requests get a retryable error.
  tracejury.memory.resident | gauge | By | - | Resident memory of the process.
  tracejury.memory.limit | gauge | By | - | Limit of resident memory.
  tracejury.memory.collections | counter | {collection} | - | Garbage collections that the memory limit caused.
  tracejury.journal.bytes | gauge | By | - | Disk space of the journal.
  tracejury.journal.live_bytes | gauge | By | - | Part of the journal's disk space that unfinished traces and forward queues need.
  tracejury.journal.segments | gauge | {file} | - | Files of the journal.
  tracejury.journal.refused_requests | counter | {request} | reason | Requests that the journal could not store: its budget or the disk is full, or a write failed.
  tracejury.storage.damage | counter | {place} | storage kind | Damage in the files of this process.
  tracejury.storage.torn_tails | counter | {file} | storage | Files whose end is incomplete after a crash. The incomplete end contains no acknowledged data and is removed.
  tracejury.journal.recovered_spans | counter | {span} | - | Spans of unfinished traces read from the journal.
  tracejury.journal.recovered_log_records | counter | {record} | - | Log records of unfinished traces read from the journal.
  tracejury.exporter.taken | counter | {record} | exporter signal destination | Records accepted for export.
  tracejury.exporter.recovered | counter | {record} | exporter signal destination | Records that were in the queue on disk when the process started.
  tracejury.exporter.spilled | counter | {record} | exporter signal destination | Records written to the queue on disk.
  tracejury.kafka.records | counter | {record} | topic outcome | Records read from Kafka.
  tracejury.kafka.bytes | counter | By | topic | Bytes of accepted records.
  tracejury.kafka.lag | gauge | {record} | topic partition | Unread records in the partitions of this process.
  tracejury.kafka.uncommitted | gauge | {record} | topic partition | Records that a restart reads again: from the first record of an unfinished trace to the last record read.
  tracejury.exporter.sent | counter | {record} | exporter signal destination | Delivered records; for the signal metrics, delivered data points.
  tracejury.exporter.dropped | counter | {record} | exporter signal destination reason | Dropped records.
  tracejury.exporter.failures | counter | {attempt} | exporter signal destination | Failed requests and writes of an output.
  tracejury.exporter.queue_records | gauge | {record} | exporter signal destination | Records that wait for delivery, in memory and on disk.
  tracejury.exporter.queue_disk | gauge | By | exporter signal destination | Disk space of waiting records.
  tracejury.exporter.queue_bytes | gauge | By | exporter signal destination | Memory of waiting records.
`;

/** Type of the names at the beginning of each line of `Text`. */
type NamesIn<Text extends string, Found = never> = Text extends `${string}\n  ${infer Name} | ${infer Rest}`
  ? NamesIn<Rest, Found | Name>
  : Found;

export type MetricName = NamesIn<typeof table>;

export const instruments = Object.fromEntries(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", kind = "", unit = "", attributes = "", brief = ""] = line.trim().split(" | ");
      return [
        name,
        instrumentOf(kind.split(" "), unit, attributes === "-" ? [] : attributes.split(" "), brief),
      ];
    }),
) as Readonly<Record<MetricName, Instrument>>;

function instrumentOf(
  [kind, bucketsName = ""]: readonly string[],
  unit: string,
  attributes: readonly string[],
  brief: string,
): Instrument {
  const bounds = buckets[bucketsName];
  return { kind: kind as InstrumentKind, unit, brief, attributes, ...(bounds && { buckets: bounds }) };
}
