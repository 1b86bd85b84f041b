/** One requirement on an OTLP collector that judges. */
export interface Requirement {
  readonly id: string;
  readonly what: string;
  /** Where the OpenTelemetry Collector 0.155 answers otherwise, as measured. */
  readonly collector?: string;
  /** A script that shows it, where `npm test` cannot. */
  readonly elsewhere?: Elsewhere;
  /** What shows it at greater length than its tests. */
  readonly longer?: string;
}

export interface Elsewhere {
  /** As one types it. */
  readonly command: string;
  /** What it is built to, and the words behind it. */
  readonly words: readonly [string, ...string[]];
  /** The environment variable that it needs. */
  readonly needs: string;
}

function kafka(part: string): Elsewhere {
  const words: Elsewhere["words"] = ["dist/test/long/kafka/run.js", part];
  return { command: `npm run long -- kafka ${part}`, words, needs: "KAFKA_TOOL" };
}

export const catalogue: readonly Requirement[] = [
  {
    id: "C01",
    what: "A protobuf request is answered 200 with an empty protobuf body",
    collector: "an explicit empty partial_success",
  },
  {
    id: "C02",
    what: "A JSON request is answered 200 with `{}`",
    collector: "an explicit empty partialSuccess",
  },
  { id: "C03", what: "Content types are known in any case and with parameters" },
  { id: "C04", what: "Empty requests are successes" },
  { id: "C05", what: "An empty JSON body is 400 with a Status" },
  {
    id: "C06",
    what: "Broken bodies are 400 with a Status that names the place; INVALID_ARGUMENT over gRPC",
    collector: "INTERNAL over gRPC; what follows a JSON document is ignored",
  },
  { id: "C07", what: "JSON that is no object is 400", collector: "`null` is 200" },
  { id: "C08", what: "Other content types are 415 with a Status", collector: "plain text, no Status" },
  { id: "C09", what: "Other methods are 405 with Allow and a Status", collector: "no Allow, no Status" },
  { id: "C10", what: "Web pages may send from listed origins only" },
  { id: "C11", what: "Other paths are 404 with a Status", collector: "plain text, no Status" },
  { id: "C12", what: "gzip, deflate and zstd are inflated", collector: "coding names in lower case only" },
  { id: "C13", what: "A body that is not coded as it says is 400" },
  {
    id: "C14",
    what: "Unknown codings are 415 and name the known ones",
    collector: "400, no Accept-Encoding",
  },
  {
    id: "C15",
    what: "A body that inflates past the limit is 413, quickly and without its memory",
    collector: "400",
  },
  { id: "C16", what: "A body of the limit is taken, one byte more is 413", collector: "400" },
  { id: "C17", what: "A gRPC message over the limit is RESOURCE_EXHAUSTED without RetryInfo" },
  { id: "C18", what: "An unknown grpc-encoding is UNIMPLEMENTED" },
  {
    id: "C19",
    what: "Unknown fields are passed over, and kept in the bytes",
    collector: "dropped when forwarded",
  },
  { id: "C20", what: "Ids are equal in any case" },
  { id: "C21", what: "Times are exact as text and as number" },
  { id: "C22", what: "64-bit integers are exact; one that is too large costs its span only" },
  { id: "C23", what: "Kinds by number, by name, unknown ones" },
  { id: "C24", what: "NaN and Infinity are taken; a double that is none costs its span only" },
  { id: "C25", what: "Bytes in every form of base64", collector: "400 for url-safe and unpadded forms" },
  { id: "C26", what: "snake_case documents are read and counted" },
  { id: "C27", what: "null in every optional place", collector: "400 for a null parent id" },
  { id: "C28", what: "`__proto__`, empty and repeated keys are data" },
  { id: "C29", what: "Values nested without end cost no stack", collector: "no limit for nested values" },
  {
    id: "C30",
    what: "Text that is not UTF-8 costs nothing, its bytes stay",
    collector: "the file exporter writes invalid JSON",
  },
  {
    id: "C31",
    what: "A span with a bad id is rejected by itself, and said",
    collector: "zero ids are stored; other bad ids cost the whole request",
  },
  {
    id: "C32",
    what: "When all spans are bad, all are rejected, the request is not",
    collector: "zero ids are stored; other bad ids cost the whole request",
  },
  {
    id: "C33",
    what: "A request that comes twice makes one verdict",
    collector: "both are stored, by design",
  },
  { id: "C34", what: "64 requests at once do not mix" },
  { id: "C35", what: "Slow senders are cut", collector: "none was within 100 s" },
  {
    id: "C36",
    what: "Short of memory: 503 with Retry-After, UNAVAILABLE with RetryInfo",
    collector: "no Retry-After, no RetryInfo",
  },
  {
    id: "C37",
    what: "Queue or journal full: the same, never 200",
    collector: "no hint; with a batch processor in front 200, and the data is dropped",
  },
  { id: "C38", what: "A sender over its quota: 429, RESOURCE_EXHAUSTED with RetryInfo" },
  { id: "C39", what: "A backend that is down does not keep telemetry out; it is delivered later" },
  { id: "C40", what: "Without credentials: 401, UNAUTHENTICATED, before the body is read" },
  { id: "C41", what: "A wrong client certificate fails the handshake" },
  { id: "C42", what: "Closing answers what is in flight, and nothing reaches the pipeline afterwards" },
  {
    id: "C43",
    what: "A backend's final refusal, partial success or garbage is not sent again",
    collector: "garbage with status 200 is sent again",
  },
  { id: "C44", what: "Retry-After of a backend is waited for" },
  { id: "C45", what: "Refusals that may be repeated are, with growing waits" },
  { id: "C46", what: "A backend's endless answer is cut", collector: "cut, but the request is sent again" },
  { id: "C47", what: "Profiles and unknown services are 404 and UNIMPLEMENTED" },
  { id: "C48", what: "Exporters of real SDKs send without an error" },
  {
    id: "C49",
    what: "A string by its index is taken as empty",
    collector: "kept as stringValueStrindex in JSON",
  },
  { id: "C50", what: "Ten thousand attributes, and one of 8 MiB" },
  {
    id: "C51",
    what: "Ten minutes of fuzzing each decoder: no crash, no hang",
    longer: "some hundred inputs; for ten minutes each: `npm run fuzz`",
  },
  { id: "A01", what: "Shuffled, split and doubled, each trace comes out once and whole; the counts sum up" },
  { id: "A02", what: "Roots first, last, missing, twice; cycles; chains ten thousand deep" },
  { id: "A03", what: "A child before the quiet time is over, and after it" },
  { id: "A04", what: "Spans after the late window are counted and make no trace" },
  { id: "A05", what: "A trace that grows without end is closed, memory stays" },
  { id: "A06", what: "A clock that jumps by an hour closes no trace", collector: "not measured" },
  { id: "A07", what: "A judge that hangs is an error after its time-out" },
  { id: "A08", what: "Verdicts that a backend could not take arrive later, once" },
  {
    id: "A09",
    what: "Killed at any byte; torn, damaged, full, failing and read-only disks",
    collector: "processors that hold traces lose all of them at `kill -9`",
  },
  {
    id: "A10",
    what: "SIGTERM under hanging clients ends in time and loses nothing",
    collector: "still running after 90 s when a body never ends",
  },
  { id: "A11", what: "Consumers of a Kafka topic come and go during load", elsewhere: kafka("group") },
  { id: "A12", what: "Kafka keys are the Collector's", elsewhere: kafka("collector") },
  { id: "A13", what: "Replay gives the same verdicts as live, in any form" },
  { id: "A14", what: "Configuration: merging, lists, substitution, unknown keys" },
  { id: "A15", what: "Secrets are printed nowhere" },
  { id: "A16", what: "Label cardinality is bounded" },
  {
    id: "A17",
    what: "A backend gets the bytes that came",
    collector: "decoded and written again, unknown fields lost",
  },
];

/** The ids that a test's name begins with. */
export function idsIn(title: string): string[] {
  return title.match(/\b[CA]\d\d\b/g) ?? [];
}
