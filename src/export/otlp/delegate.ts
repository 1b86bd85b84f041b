import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { OTLPExporterError } from "@opentelemetry/otlp-exporter-base";
import { createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import type { ISerializer } from "@opentelemetry/otlp-transformer";
import type { Signal } from "../settings.ts";
import type { SendOutcome } from "./batch-queue.ts";

/** Where and how requests of one signal go. */
export interface SignalTarget {
  readonly signal: Signal;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** What the backend said about a request it answered with success: items it did not take, and why. */
export interface PartialSuccess {
  readonly rejected: number;
  readonly message: string;
}

export interface Delegate<Request> {
  send(request: Request): Promise<SendResult>;
  /** Breaks off requests that are under way. */
  destroy(): void;
}

export interface SendResult {
  readonly outcome: SendOutcome;
  /** Null when delivered. */
  readonly error: string | null;
}

const itemNames = { logs: "log", traces: "span", metrics: "metric_data_point" } as const;

/**
 * The SDK's own OTLP/HTTP client (retries, back-off, `Retry-After`, compression) around a serializer of ours. Its package calls
 * itself internal; this is the only file that knows it.
 */
export function createDelegate<Request, Response>(
  target: SignalTarget,
  serializer: ISerializer<Request, Response>,
): Delegate<Request> {
  const agents = new Set<HttpAgent>();
  const delegate = createOtlpHttpExportDelegate<Request, Response>(
    {
      url: target.url,
      headers: () => Promise.resolve({ "Content-Type": "application/x-protobuf", ...target.headers }),
      compression: target.compression,
      timeoutMillis: target.timeoutMs,
      concurrencyLimit: 4,
      userAgent: target.userAgent,
      agentFactory: (protocol) => {
        const agent = protocol === "https:" ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
        agents.add(agent);
        return agent;
      },
    },
    serializer,
    `otlp_http_${itemNames[target.signal]}_exporter`,
    { name: itemNames[target.signal], countItems: () => 0 },
    undefined,
  );
  return {
    send: (request) =>
      new Promise((resolve) => {
        delegate.export(request, ({ error }) => resolve(outcomeOf(error)));
      }),
    destroy: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

const agentOptions = { keepAlive: true, maxSockets: 4 };
/** An HTTP status that is not worth a retry has its code on the error; everything else may pass. */
function outcomeOf(error: Error | undefined): SendResult {
  if (error === undefined) return { outcome: "delivered", error: null };
  const status = error instanceof OTLPExporterError ? error.code : undefined;
  if (status === undefined) return { outcome: "retry", error: error.message };
  return { outcome: "rejected", error: `HTTP ${status} ${error.message}` };
}
