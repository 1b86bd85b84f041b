import { ask } from "../api.ts";

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number | null;
}

/** A group of traces without an agent that begin with the same kind of span, with the number of their spans. */
export interface SpansWithoutAgent {
  readonly service: string | null;
  readonly kind: string;
  readonly scope: string;
  readonly spans: number;
}

/** The response of `/api/v1/status`. */
export interface Status {
  readonly version: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Descriptions of damage that was found on disk since the start of the collector. */
  readonly damage?: readonly string[];
  readonly open_traces: number;
  readonly open_bytes: number;
  readonly spans: Readonly<Record<string, number>>;
  readonly specs: readonly { readonly name: string; readonly queries: number }[];
  /** Recent spans that belong to no agent, the largest group first. */
  readonly spans_without_agent?: readonly SpansWithoutAgent[];
  readonly listening?: { readonly http: string | null; readonly grpc: string | null; readonly tls: boolean };
  readonly store: Readonly<Record<string, number>> | null;
}

export interface Reading {
  readonly status: Status;
  readonly samples: readonly Sample[];
  readonly atMs: number;
}

export async function readCollector(): Promise<Reading> {
  const [status, { samples }] = await Promise.all([
    ask<Status>("/api/v1/status"),
    ask<{ samples: Sample[] }>("/api/v1/metrics"),
  ]);
  return { status, samples, atMs: performance.now() };
}

/** Returns the sum of a metric over all samples for which `fits` returns true. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample["labels"]) => boolean = () => true,
): number {
  return samples.reduce(
    (all, sample) => all + (sample.name === name && fits(sample.labels) ? (sample.value ?? 0) : 0),
    0,
  );
}

export function refusedRequests(samples: readonly Sample[]): readonly { why: string; requests: number }[] {
  return samples.flatMap(({ name, labels, value }) =>
    name !== "tracejury_receiver_requests_total" || labels["outcome"] === "accepted" || (value ?? 0) === 0
      ? []
      : [
          {
            why: [labels["transport"], labels["signal"], labels["outcome"]]
              .filter((label) => label !== undefined)
              .join(" ")
              .replaceAll("_", " "),
            requests: value ?? 0,
          },
        ],
  );
}

/**
 * Returns the URL to which an exporter sends telemetry. If the port listens on all addresses, the URL contains the host in the URL of this
 * page.
 */
export function reachable(listening: string | null, isTls: boolean): string | null {
  if (listening === null) return null;
  const port = listening.slice(listening.lastIndexOf(":") + 1);
  const host = listening.slice(0, listening.lastIndexOf(":"));
  const name = host === "0.0.0.0" || host === "[::]" ? window.location.hostname : host;
  return `${isTls ? "https" : "http"}://${name}:${port}`;
}
