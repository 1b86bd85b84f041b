export type Signal = "traces" | "logs" | "metrics";

export type Encoding = "protobuf" | "json";
