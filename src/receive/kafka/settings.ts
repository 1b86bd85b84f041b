/** How brokers are reached. */
export interface KafkaConnection {
  /** `host:port` of some brokers; they name the others. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly sasl: KafkaSasl | null;
  readonly tls: KafkaTls | null;
}

/** How telemetry is read from Kafka. */
export interface KafkaSettings extends KafkaConnection {
  /** Topics by what is in them; null: none is read. */
  readonly topics: { readonly traces: string | null; readonly logs: string | null };
  readonly group: string;
  readonly encoding: "otlp_proto" | "otlp_json";
  /** Where a group begins that has committed nothing. */
  readonly from: "earliest" | "latest";
  /** Topic for records that cannot be read; null: they are counted and passed over. */
  readonly deadLetter: string | null;
  /** Topic in which the group's processes exchange what they have judged. */
  readonly notes: string;
  /** A process without a heartbeat for this long loses its partitions. */
  readonly sessionTimeoutMs: number;
  /** Most that is fetched of one partition at a time, compressed. */
  readonly fetchBytes: number;
}

export interface KafkaSasl {
  readonly mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
  readonly username: string;
  readonly password: string;
}

export interface KafkaTls {
  /** Authorities of the brokers' certificates, PEM; null: the usual ones. */
  readonly caFile: string | null;
  /** Our certificate and its key, where brokers ask for one. */
  readonly certFile: string | null;
  readonly keyFile: string | null;
  /** Name that the brokers' certificates must bear, where it is not their host. */
  readonly serverName: string | null;
}
