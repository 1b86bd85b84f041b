/** One requirement on an OTLP collector that judges. */
export interface Requirement {
  readonly id: string;
  readonly what: string;
  /** Measured behaviour of the OpenTelemetry Collector 0.155, if it differs. */
  readonly collector?: string;
  /** Script that tests the requirement, if `npm test` cannot. */
  readonly elsewhere?: Elsewhere;
  /** Longer test of the requirement, beside its ordinary tests. */
  readonly longer?: string;
}

export interface Elsewhere {
  /** Command line as users type it. */
  readonly command: string;
  /** Compiled script and its arguments. */
  readonly words: readonly [string, ...string[]];
  /** Environment variable that the script needs. */
  readonly needs: string;
}

function kafka(part: string): Elsewhere {
  const words: Elsewhere["words"] = ["dist/test/long/kafka/run.js", part];
  return { command: `npm run long -- kafka ${part}`, words, needs: "KAFKA_TOOL" };
}

export const catalogue: readonly Requirement[] = [
  {
    id: "C01",
    what: "A protobuf request gets status 200 and an empty protobuf body",
    collector: "an explicit empty partial_success",
  },
  {
    id: "C02",
    what: "A JSON request gets status 200 and the body `{}`",
    collector: "an explicit empty partialSuccess",
  },
  { id: "C03", what: "Content types are recognised in upper and lower case, and with parameters" },
  { id: "C04", what: "An empty request succeeds" },
  { id: "C05", what: "An empty JSON body gets 400 with a Status" },
  {
    id: "C06",
    what: "A malformed body gets 400 with a Status that names the position; over gRPC, INVALID_ARGUMENT",
    collector: "INTERNAL over gRPC; text after a JSON document is ignored",
  },
  { id: "C07", what: "A JSON body that is not an object gets 400", collector: "`null` gets 200" },
  { id: "C08", what: "An unknown content type gets 415 with a Status", collector: "plain text, no Status" },
  {
    id: "C09",
    what: "Methods other than POST get 405 with the header Allow and a Status",
    collector: "no Allow, no Status",
  },
  { id: "C10", what: "Web pages may send only from listed origins" },
  { id: "C11", what: "An unknown path gets 404 with a Status", collector: "plain text, no Status" },
  {
    id: "C12",
    what: "Bodies in gzip, deflate and zstd are decompressed",
    collector: "accepts only lower-case names of encodings",
  },
  { id: "C13", what: "A body whose encoding differs from its Content-Encoding gets 400" },
  {
    id: "C14",
    what: "An unknown Content-Encoding gets 415, and the response lists the supported ones",
    collector: "400, no Accept-Encoding",
  },
  {
    id: "C15",
    what: "A body that exceeds the limit when decompressed gets 413, and decompression stops at the limit",
    collector: "400",
  },
  { id: "C16", what: "A body of exactly the limit is accepted; one byte more gets 413", collector: "400" },
  { id: "C17", what: "A gRPC message above the limit gets RESOURCE_EXHAUSTED without RetryInfo" },
  { id: "C18", what: "An unknown grpc-encoding gets UNIMPLEMENTED" },
  {
    id: "C19",
    what: "Unknown fields are ignored when decoding, and forwarded unchanged",
    collector: "dropped when forwarded",
  },
  { id: "C20", what: "Upper-case and lower-case hex ids are equal" },
  { id: "C21", what: "Times are exact, whether JSON writes them as text or as numbers" },
  { id: "C22", what: "64-bit integers are exact; an integer that is too large rejects only its span" },
  { id: "C23", what: "Span kinds are read by number and by name; unknown kinds are accepted" },
  { id: "C24", what: "NaN and Infinity are accepted; an invalid double rejects only its span" },
  {
    id: "C25",
    what: "Bytes are read in every variant of base64",
    collector: "400 for URL-safe and unpadded base64",
  },
  { id: "C26", what: "JSON with snake_case keys is read and counted" },
  { id: "C27", what: "Every optional field may be null", collector: "400 for a null parent id" },
  { id: "C28", what: "Attribute keys that are empty, repeated or `__proto__` are ordinary data" },
  {
    id: "C29",
    what: "Deeply nested values cause no stack overflow",
    collector: "no limit for nested values",
  },
  {
    id: "C30",
    what: "Text that is not UTF-8 does not reject its span, and its bytes are forwarded unchanged",
    collector: "the file exporter writes invalid JSON",
  },
  {
    id: "C31",
    what: "A span with an invalid id is rejected without the other spans, and the response reports it",
    collector: "zero ids are stored; any other invalid id rejects the whole request",
  },
  {
    id: "C32",
    what: "A request of only invalid spans succeeds, with a partial success that rejects all of them",
    collector: "zero ids are stored; any other invalid id rejects the whole request",
  },
  {
    id: "C33",
    what: "A run whose request is sent twice gets one verdict",
    collector: "both are stored, by design",
  },
  { id: "C34", what: "64 concurrent requests do not affect each other" },
  {
    id: "C35",
    what: "Connections of slow senders are closed",
    collector: "no connection was closed within 100 s",
  },
  {
    id: "C36",
    what: "If memory is short, a request gets 503 with Retry-After, or UNAVAILABLE with RetryInfo",
    collector: "no Retry-After, no RetryInfo",
  },
  {
    id: "C37",
    what: "If the queue or journal is full, a request gets 503 or UNAVAILABLE as in C36, never 200",
    collector: "no retry delay; behind a batch processor, status 200 although the data is dropped",
  },
  { id: "C38", what: "A sender above its quota gets 429, or RESOURCE_EXHAUSTED with RetryInfo" },
  { id: "C39", what: "While a backend is down, telemetry is accepted, and delivered later" },
  { id: "C40", what: "A request without credentials gets 401 or UNAUTHENTICATED before its body is read" },
  { id: "C41", what: "A wrong client certificate fails the handshake" },
  {
    id: "C42",
    what: "During a stop, requests in flight get a response, and no later request reaches the pipeline",
  },
  {
    id: "C43",
    what: "A request is not sent again after a permanent refusal, a partial success or an unreadable answer of a backend",
    collector: "after an unreadable answer with status 200, the request is sent again",
  },
  { id: "C44", what: "A retry waits for the time in a backend's Retry-After" },
  { id: "C45", what: "Retryable refusals are retried, with growing pauses" },
  {
    id: "C46",
    what: "An endless answer of a backend is cut off",
    collector: "cut off, but the request is sent again",
  },
  { id: "C47", what: "Profiles and unknown services get 404 or UNIMPLEMENTED" },
  { id: "C48", what: "Exporters of real SDKs send without an error" },
  {
    id: "C49",
    what: "A string that is given by its index in a string table is read as empty",
    collector: "kept as stringValueStrindex in JSON",
  },
  { id: "C50", what: "A span may have ten thousand attributes, or one of 8 MiB" },
  {
    id: "C51",
    what: "Fuzzing of each decoder causes no crash and no hang",
    longer: "with some hundred inputs; `npm run fuzz` fuzzes each decoder for ten minutes",
  },
  {
    id: "A01",
    what: "A trace whose spans arrive shuffled, split or twice is released once and complete, and all counters add up",
  },
  {
    id: "A02",
    what: "A trace is released once, whether its root is first, last, missing or duplicated, and with cycles or chains of ten thousand spans",
  },
  {
    id: "A03",
    what: "A child span that arrives after the end of `root_quiet` releases the trace a second time",
  },
  { id: "A04", what: "A span that arrives after the late window is counted and creates no trace" },
  { id: "A05", what: "A trace that grows without end is closed, and memory stays bounded" },
  { id: "A06", what: "A clock that jumps by an hour closes no trace", collector: "not measured" },
  { id: "A07", what: "If a judge does not answer, its check is an error after the time-out" },
  { id: "A08", what: "Verdicts for a backend that is down arrive once, when it is up again" },
  {
    id: "A09",
    what: "A kill at any byte, and torn, damaged, full, failing or read-only disks, lose no acknowledged span",
    collector: "processors that hold traces lose all of them at `kill -9`",
  },
  {
    id: "A10",
    what: "SIGTERM ends the process in time even if clients hang, and loses no acknowledged telemetry",
    collector: "still running after 90 s when a body never ends",
  },
  { id: "A11", what: "Consumers of a Kafka topic can join and leave under load", elsewhere: kafka("group") },
  {
    id: "A12",
    what: "Tracejury reads the keys of Kafka records that the Collector writes",
    elsewhere: kafka("collector"),
  },
  { id: "A13", what: "A replay gives the same verdicts as live telemetry, in protobuf and JSON" },
  {
    id: "A14",
    what: "Several configuration files are merged, with lists replaced, variables substituted and unknown keys refused",
  },
  { id: "A15", what: "No command prints a secret of the configuration" },
  { id: "A16", what: "The label cardinality of metrics is bounded" },
  {
    id: "A17",
    what: "A backend gets exactly the bytes that Tracejury received",
    collector: "telemetry is decoded and encoded again, so unknown fields are lost",
  },
];

/** The ids that a test's name begins with. */
export function idsIn(title: string): string[] {
  return title.match(/\b[CA]\d\d\b/g) ?? [];
}
