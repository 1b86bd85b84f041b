/** What the Collector is configured to do with what it receives. */
export interface Pipeline {
  readonly kind: "nop" | "held" | "batched" | "durable";
  /** For `held`: seconds that a trace waits. */
  readonly waitS?: number;
}

/** Where it listens, sends to and keeps its queue. */
export interface Places {
  readonly http: number;
  readonly grpc: number;
  readonly backend: string;
  /** Folder for the queue on the disk. */
  readonly storage: string;
}

/** The policies are those of the measurement that set the goals. */
const policies = [
  { name: "errors", type: "status_code", status_code: { status_codes: ["ERROR"] } },
  { name: "slow", type: "latency", latency: { threshold_ms: 30_000 } },
  {
    name: "model",
    type: "string_attribute",
    string_attribute: { key: "gen_ai.request.model", values: ["gpt-4o"] },
  },
  {
    name: "tokens",
    type: "numeric_attribute",
    numeric_attribute: { key: "gen_ai.usage.input_tokens", min_value: 5000, max_value: 1_000_000 },
  },
];

/** A configuration as its documentation advises, its own metrics off, which is in its favour. It is JSON, which is YAML as well. */
export function configOf({ kind, waitS = 5 }: Pipeline, { http, grpc, backend, storage }: Places): object {
  const processors: Record<string, object> =
    kind === "held"
      ? { tail_sampling: { decision_wait: `${waitS}s`, num_traces: 2_000_000, policies } }
      : kind === "batched"
        ? { batch: {} }
        : {};
  const queue = { queue_size: 100_000, ...(kind === "durable" ? { storage: "file_storage" } : {}) };
  const exporters: Record<string, object> =
    kind === "batched" || kind === "durable"
      ? { otlphttp: { endpoint: backend, compression: "none", sending_queue: queue } }
      : { nop: {} };
  const extensions: Record<string, object> =
    kind === "durable" ? { file_storage: { directory: storage, fsync: true } } : {};
  return {
    extensions,
    receivers: {
      otlp: {
        protocols: {
          http: { endpoint: `127.0.0.1:${http}` },
          grpc: { endpoint: `127.0.0.1:${grpc}`, max_recv_msg_size_mib: 20 },
        },
      },
    },
    processors,
    exporters,
    service: {
      extensions: Object.keys(extensions),
      telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
      pipelines: {
        traces: {
          receivers: ["otlp"],
          processors: Object.keys(processors),
          exporters: Object.keys(exporters),
        },
      },
    },
  };
}
