import { Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { retryAfterMs } from "../../support/structures/backoff.ts";
import { boundedWait, type SendResult } from "../queue/send-result.ts";
import type { AddressGuard } from "../../support/security/addresses/address-guard.ts";
import { RedirectError, sendRequest } from "../../support/http/send-request.ts";
import { messageOf } from "../../support/structures/error-message.ts";

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  readonly userAgent: string;
  readonly contentType?: string;
  /** Whether a request with this error status may succeed later. */
  readonly isRetryable?: (status: number) => boolean;
  /** Checks addresses before a connection is made. */
  readonly guard?: AddressGuard;
}

/** Result of a request, with the same statuses as in the SDK's transports. */
export type HttpResponse =
  | { readonly status: "success"; readonly data?: Uint8Array; readonly contentType?: string | undefined }
  | ({ readonly status: "failure"; readonly error: Error; readonly statusCode?: number } & Refusal)
  | ({ readonly status: "retryable"; readonly error: RetryableError } & Refusal);

interface Refusal {
  /** Body of the error response; undefined if it is missing or too long. */
  readonly answer?: Uint8Array | undefined;
}

/** The request failed, and may be retried. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** Delay in milliseconds that the backend requested; null if it requested none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Converts a response into the result for a queue.
 * @param answer text to append to the error message
 */
export function sendResultOf(response: HttpResponse, answer = ""): SendResult {
  if (response.status === "success") return { outcome: "delivered" };
  const error = response.error.message + answer;
  return response.status === "failure"
    ? { outcome: "rejected", error }
    : { outcome: "retry", error, retryAfterMs: response.error.retryAfterMs };
}

/** Method and URL of a request. Without a resource, the request is a POST to the transport's URL. */
export interface HttpResource {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
}

/**
 * Sends HTTP requests. Has the interface of the SDK's transports, which are not used: they retry internally, cannot be stopped, and ignore
 * long delays in `Retry-After`.
 */
export interface HttpTransport {
  send(
    body: Uint8Array,
    timeoutMs: number,
    headers?: Readonly<Record<string, string>>,
    resource?: HttpResource,
  ): Promise<HttpResponse>;
  /** Uses new connections for later requests, so that the addresses are checked again. */
  renewConnections(): void;
  /** Cancels all requests in progress. */
  shutdown(): void;
}

/** Maximum bytes of a response. A usual response has a few hundred bytes. */
const mostAnswerBytes = 4 * 1024 * 1024;
/** Maximum bytes of an error response. An error response is read completely, so that the connection can be reused. */
const mostRefusalBytes = 64 * 1024;
const retryableStatus: readonly number[] = [429, 502, 503, 504];
/** Whether a status is retryable in APIs other than OTLP, such as webhooks and score backends. */
export const isRetryableApi = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);
const isRetryableOtlp = (status: number): boolean => retryableStatus.includes(status);
const compress = promisify(gzip);

export function createHttpTransport(target: HttpTarget): HttpTransport {
  const { url: targetUrl, compression, userAgent, guard } = target;
  const { contentType = "application/x-protobuf", isRetryable = isRetryableOtlp } = target;
  const createAgent = (): HttpAgent =>
    new (/^https:/i.test(targetUrl) ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 4 });
  let agent = createAgent();
  let isStopped = false;
  const ownHeaders = {
    "content-type": contentType,
    "user-agent": userAgent,
    ...(compression === "gzip" ? { "content-encoding": "gzip" } : {}),
    ...target.headers,
  };
  return {
    send: async (body, timeoutMs, more = {}, { method, url } = { method: "POST", url: targetUrl }) => {
      const sent = compression === "gzip" ? await compress(body) : body;
      try {
        if (isStopped) throw new Error("shut down");
        const headers = { ...ownHeaders, ...more };
        const options = { method, agent, headers, body: sent, timeoutMs, guard };
        return await answerTo(await sendRequest(new URL(url), options), isRetryable);
      } catch (error) {
        if (error instanceof RedirectError) return { status: "failure", error, statusCode: error.status };
        return {
          status: "retryable",
          error: new RetryableError(isStopped ? "broken off" : messageOf(error)),
        };
      }
    },
    renewConnections: () => {
      for (const sockets of Object.values(agent.freeSockets))
        for (const socket of sockets ?? []) socket.destroy();
      agent = createAgent();
    },
    // Destroying the agent cancels all requests. The requests are not collected in a set, because its hash table would retain ended
    // requests with their bodies.
    shutdown: () => {
      isStopped = true;
      agent.destroy();
    },
  };
}

async function answerTo(
  response: IncomingMessage,
  isRetryable: (status: number) => boolean,
): Promise<HttpResponse> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    // A success status means that the data was accepted, even if reading the response fails.
    const data = await bodyOf(response, mostAnswerBytes).catch(() => undefined);
    const contentType = response.headers["content-type"];
    return data === undefined ? { status: "success" } : { status: "success", data, contentType };
  }
  const answer = await bodyOf(response, mostRefusalBytes).catch(() => undefined);
  const message = `HTTP ${status} ${response.statusMessage ?? ""}`.trim();
  if (!isRetryable(status))
    return { status: "failure", error: new Error(message), statusCode: status, answer };
  const waitMs = boundedWait(retryAfterMs(response.headers["retry-after"], Date.now()));
  return { status: "retryable", error: new RetryableError(message, waitMs), answer };
}

/** Reads a response body. Closes the connection and returns undefined if the body has more than `most` bytes. */
async function bodyOf(response: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
