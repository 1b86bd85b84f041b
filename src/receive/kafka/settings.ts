export interface KafkaConnection {
  /** Addresses of some brokers, as `host:port`. From these brokers, the client gets the addresses of all others. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly sasl: KafkaSasl | null;
  readonly tls: KafkaTls | null;
}

export interface KafkaSettings extends KafkaConnection {
  /** Topics by signal; null if the signal is not read. */
  readonly topics: { readonly traces: string | null; readonly logs: string | null };
  readonly group: string;
  readonly encoding: "otlp_proto" | "otlp_json";
  /** Start position of a group without committed offsets. */
  readonly from: "earliest" | "latest";
  /** Topic for records that cannot be accepted, for example because they cannot be decoded; null to count and drop such records. */
  readonly deadLetter: string | null;
  /** Topic in which the group's processes share verdicts of runs (see `SharedRecords`). */
  readonly notes: string;
  /** Time in milliseconds after which a process that sent no heartbeat loses its partitions. */
  readonly sessionTimeoutMs: number;
  /** Maximum compressed bytes of one fetch of a partition. */
  readonly fetchBytes: number;
}

export interface KafkaSasl {
  readonly mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
  readonly username: string;
  readonly password: string;
}

export interface KafkaTls {
  /** PEM file with the certificate authorities of the brokers; null to use the system's authorities. */
  readonly caFile: string | null;
  /** PEM file with the client certificate, for brokers that require one; otherwise null. */
  readonly certFile: string | null;
  readonly keyFile: string | null;
  /** Host name in the brokers' certificates; null if it equals the host of the address. */
  readonly serverName: string | null;
}
