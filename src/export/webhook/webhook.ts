import { createHash, createHmac } from "node:crypto";
import type { Verdict } from "../../model/verdict.ts";
import {
  type AddressGuard,
  BlockedAddressError,
  createAddressGuard,
} from "../../support/security/addresses/address-guard.ts";
import { refuseOwnListener } from "../otlp/endpoint.ts";
import { createHttpTransport, isRetryableApi, sendResultOf } from "../otlp/http-transport.ts";
import type { ExportEvents } from "../records/export-events.ts";
import { failedBatchLimits } from "../queue/backend-down.ts";
import { createDeliveryQueue } from "../queue/delivery-queue.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import type { WebhookDestination } from "../settings.ts";
import { queueSink, type VerdictSink } from "../verdict-sink.ts";
import { webhookBody } from "./bodies.ts";
import { mostSlackVerdicts } from "./slack.ts";

function checkAddress(guard: AddressGuard, url: string, key: string): void {
  try {
    guard.checkUrl(new URL(url));
  } catch (error) {
    throw error instanceof BlockedAddressError
      ? new BlockedAddressError(`${key}.url: ${error.message}`)
      : error;
  }
}

export interface WebhookOptions {
  readonly destination: WebhookDestination;
  /** Configuration key of the destination, for messages. */
  readonly key: string;
  readonly version: string;
  readonly listeners: readonly string[];
  /** Private networks to which the webhook may connect. */
  readonly allowedNetworks: readonly string[];
  readonly events: ExportEvents;
  readonly diskQueue: DiskQueue | undefined;
  readonly now: () => number;
  readonly recordOf: (verdict: Verdict) => Uint8Array;
}

/** An output that posts verdicts or changes to one address. Each record is one verdict or change as JSON. */
export interface Webhook extends VerdictSink {
  /** Queues a change, if the webhook has `on: change`. */
  offerChange(record: Uint8Array, callback: () => () => void): void;
  /**
   * Checks a new list of allowed private networks. Returns a function that activates the new list and never throws.
   * @throws SecurityError if a network is invalid
   * @throws BlockedAddressError if the address of the webhook is private and in none of the new networks
   */
  prepareNetworks(allowedNetworks: readonly string[]): () => void;
}

/**
 * Creates a webhook output.
 *
 * @throws EndpointError if the address is invalid, or is a listener of this process
 * @throws BlockedAddressError if the address is private and not allowed
 */
export function createWebhook(options: WebhookOptions): Webhook {
  const { destination, key, version, listeners, allowedNetworks, events, diskQueue, now, recordOf } = options;
  const { url, on, format, headers, secret, maxBatch, maxDelayMs, timeoutMs } = destination;
  refuseOwnListener(url, listeners, `${key}.url`);
  const guard = createAddressGuard({ allowedNetworks });
  checkAddress(guard, url, key);
  const transport = createHttpTransport({
    url,
    headers,
    guard,
    compression: "none",
    contentType: "application/json",
    userAgent: `tracejury/${version}`,
    isRetryable: isRetryableApi,
  });
  const outcomes = new Set(destination.outcomes);
  const queue = createDeliveryQueue({
    route: { exporter: "webhook", signal: `${on}s`, destination: new URL(url).host },
    events,
    diskQueue,
    closeTransport: () => transport.shutdown(),
    limits: {
      maxDelayMs,
      maxElapsedMs: failedBatchLimits.maxElapsedMs,
      maxBatchRecords: format === "slack" ? Math.min(maxBatch, mostSlackVerdicts) : maxBatch,
    },
    send: async (records) => {
      const body = webhookBody(destination, records, version);
      return sendResultOf(await transport.send(body, timeoutMs, webhookHeaders(body, secret, now())));
    },
  });
  return {
    ...queueSink(queue, (verdict) =>
      on === "verdict" && outcomes.has(verdict.outcome) ? recordOf(verdict) : undefined,
    ),
    prepareNetworks: (networks) => {
      checkAddress(createAddressGuard({ allowedNetworks: networks }), url, key);
      return () => {
        guard.replace(networks);
        transport.renewConnections();
      };
    },
    offerChange: (record, callback) => {
      if (on === "change") queue.offer([record], callback());
    },
  };
}

/**
 * Returns the headers of Standard Webhooks 1.0. The id depends on the body, so all attempts have the same id. The header
 * `webhook-timestamp` is in seconds. With a secret, the signature is `v1,` and the base64 HMAC-SHA256 of `id.time.body`. The part of a
 * secret after the prefix `whsec_` is base64.
 */
function webhookHeaders(body: Uint8Array, secret: string | null, nowUnixMs: number): Record<string, string> {
  const id = `msg_${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const timestamp = String(Math.floor(nowUnixMs / 1000));
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === null) return headers;
  const signature = createHmac("sha256", keyOf(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return { ...headers, "webhook-signature": `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  const prefix = "whsec_";
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
}
