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
  /** Whether a status other than success may be another one the next time. */
  readonly isRetryable?: (status: number) => boolean;
  /** Checks the addresses that are connected to. */
  readonly guard?: AddressGuard;
}

/** Result of one request. The three kinds and their names are those of the SDK's transports. */
export type HttpResponse =
  | { readonly status: "success"; readonly data?: Uint8Array; readonly contentType?: string | undefined }
  | ({ readonly status: "failure"; readonly error: Error; readonly statusCode?: number } & Refusal)
  | ({ readonly status: "retryable"; readonly error: RetryableError } & Refusal);

interface Refusal {
  /** The body of the refusal; undefined where there was none, or it was too long. */
  readonly answer?: Uint8Array | undefined;
}

/** Not delivered, and worth another try. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** The wait that the backend requests; null without one. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A response as the queues take it; `answer` is put behind the error of a refusal. */
export function sendResultOf(response: HttpResponse, answer = ""): SendResult {
  if (response.status === "success") return { outcome: "delivered" };
  const error = response.error.message + answer;
  return response.status === "failure"
    ? { outcome: "rejected", error }
    : { outcome: "retry", error, retryAfterMs: response.error.retryAfterMs };
}

/** Path and method of the request; a POST to the target's own address when absent. */
export interface HttpResource {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
}

/** Same interface as the SDK's transports. The SDK's own one retries internally and can neither be stopped nor told to wait longer. */
export interface HttpTransport {
  send(
    body: Uint8Array,
    timeoutMs: number,
    headers?: Readonly<Record<string, string>>,
    resource?: HttpResource,
  ): Promise<HttpResponse>;
  /** Breaks off what is under way. */
  shutdown(): void;
}

/** Most bytes of a response; usual ones have a few hundred bytes. */
const mostAnswerBytes = 4 * 1024 * 1024;
/** Most bytes of an error response, which is read only to reuse the connection. */
const mostRefusalBytes = 64 * 1024;
const retryableStatus: readonly number[] = [429, 502, 503, 504];
/** For APIs other than OTLP, such as webhooks. */
export const isRetryableApi = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);
const isRetryableOtlp = (status: number): boolean => retryableStatus.includes(status);
const compress = promisify(gzip);

export function createHttpTransport(target: HttpTarget): HttpTransport {
  const { url: targetUrl, compression, userAgent, guard } = target;
  const { contentType = "application/x-protobuf", isRetryable = isRetryableOtlp } = target;
  const agent = new (/^https:/i.test(targetUrl) ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 4 });
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
    // The agent knows what is under way. A set of requests would, too, but its old tables retain those that were in them, and so their bodies.
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
    // The data was taken, whatever becomes of the answer.
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

/** Undefined, and the connection closed, when it is longer. */
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
