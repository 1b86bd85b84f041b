import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { retryAfterMs } from "../../support/structures/retry-after.ts";
import { boundedWait } from "../queue/bounded-wait.ts";
import type { AddressGuard } from "../../support/security/addresses/address-guard.ts";

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

/** What came of one request; the three kinds, and their names, are those of the SDK's transports. */
export type HttpResponse =
  | { readonly status: "success"; readonly data?: Uint8Array }
  | { readonly status: "failure"; readonly error: Error; readonly statusCode?: number }
  | { readonly status: "retryable"; readonly error: RetryableError };

/** Not delivered, and worth another try. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** The shortest wait the backend asked for; 0 when it did not. */
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Path and method of the request; a POST to the target's own address when absent. */
export interface HttpResource {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
}

class TimedOut extends Error {}

/** In the shape of the SDK's transports. Theirs retries by itself, out of reach: it cannot be stopped, nor told to wait longer. */
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

/** What a backend may answer; an honest one sends a few hundred bytes. */
const mostAnswerBytes = 4 * 1024 * 1024;
/** Of a refusal, which is read only so that its connection can be used again. */
const mostRefusalBytes = 64 * 1024;
const retryableStatus: readonly number[] = [429, 502, 503, 504];
const isRetryableOtlp = (status: number): boolean => retryableStatus.includes(status);
const compress = promisify(gzip);

export function createHttpTransport(target: HttpTarget): HttpTransport {
  const { url: targetUrl, headers, compression, userAgent, guard } = target;
  const { contentType = "application/x-protobuf", isRetryable = isRetryableOtlp } = target;
  const secure = targetUrl.startsWith("https:");
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 4 });
  const underWay = new Set<AbortController>();
  let isStopped = false;
  const ownHeaders = {
    "content-type": contentType,
    "user-agent": userAgent,
    ...(compression === "gzip" ? { "content-encoding": "gzip" } : {}),
    ...headers,
  };
  return {
    send: async (body, timeoutMs, more = {}, { method, url } = { method: "POST", url: targetUrl }) => {
      const sent = compression === "gzip" ? await compress(body) : body;
      // Of this request alone, and gone with it: a signal that outlives requests, or a timer, would hold their bodies.
      const cut = new AbortController();
      const timer = setTimeout(() => cut.abort(new TimedOut()), timeoutMs);
      if (isStopped) cut.abort();
      underWay.add(cut);
      const options = {
        method,
        agent,
        signal: cut.signal,
        headers: { ...ownHeaders, ...more, "content-length": sent.length },
        ...(guard === undefined ? {} : { lookup: guard.lookup }),
      };
      try {
        guard?.checkUrl(new URL(url));
        return await answerTo(
          await answerOf(secure ? httpsRequest : httpRequest, url, options, sent),
          isRetryable,
        );
      } catch (error) {
        return { status: "retryable", error: new RetryableError(causeOf(error, timeoutMs)) };
      } finally {
        clearTimeout(timer);
        underWay.delete(cut);
      }
    },
    shutdown: () => {
      isStopped = true;
      for (const cut of underWay) cut.abort();
      agent.destroy();
    },
  };
}

function answerOf(
  request: typeof httpRequest,
  url: string,
  options: RequestOptions,
  body: Uint8Array,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = request(url, options, resolve);
    sending.on("error", reject);
    sending.end(body);
  });
}

async function answerTo(
  response: IncomingMessage,
  isRetryable: (status: number) => boolean,
): Promise<HttpResponse> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    // The data was taken, whatever becomes of the answer.
    const data = await bodyOf(response, mostAnswerBytes).catch(() => undefined);
    return data === undefined ? { status: "success" } : { status: "success", data };
  }
  await bodyOf(response, mostRefusalBytes).catch(() => undefined);
  const message = `HTTP ${status} ${response.statusMessage ?? ""}`.trim();
  if (!isRetryable(status)) return { status: "failure", error: new Error(message), statusCode: status };
  return {
    status: "retryable",
    error: new RetryableError(
      message,
      boundedWait(retryAfterMs(response.headers["retry-after"], Date.now())),
    ),
  };
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

function causeOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name !== "AbortError") return error.message;
  return error.cause instanceof TimedOut ? `no answer within ${timeoutMs} ms` : "broken off";
}
