export type Signal = "traces" | "logs" | "metrics";

/** The two encodings of an OTLP request. */
export type Encoding = "protobuf" | "json";
