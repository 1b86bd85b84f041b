import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { signalUrl } from "../../otlp/endpoint.ts";
import type { Signal } from "../../../otlp/signal.ts";
import {
  type Delivery,
  delivered,
  MOST_ANSWER_BYTES,
  type OutgoingRequest,
  type Sender,
} from "./delivery.ts";
import { boundedWait } from "../../queue/bounded-wait.ts";
import { retryAfterMs } from "../../../support/structures/retry-after.ts";

export interface SenderOptions {
  /** Base address; `/v1/traces` and the like are appended for HTTP. */
  readonly endpoint: string;
  /** Place in the configuration, for messages. */
  readonly key: string;
  /** Sent with each request; win over those that the sender sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
  /** Requests at one time. */
  readonly atOnce: number;
}

const RETRYABLE: readonly number[] = [429, 502, 503, 504];
const contentTypes = { protobuf: "application/x-protobuf", json: "application/json" } as const;

/**
 * Sends bodies as they are over OTLP/HTTP.
 * @throws EndpointError when the endpoint is no http or https address
 */
export function createHttpSender(options: SenderOptions): Sender {
  const urls = new Map<Signal, URL>();
  for (const signal of ["traces", "logs", "metrics"] as const) {
    urls.set(signal, new URL(signalUrl(options.endpoint, signal, `${options.key}.endpoint`)));
  }
  const secure = /^https:/i.test(options.endpoint);
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: options.atOnce });
  const request = secure ? httpsRequest : httpRequest;
  return {
    send: async (outgoing) => {
      const { signal, encoding, coding, headers, body } = outgoing;
      const url = urls.get(signal);
      if (url === undefined) return { kind: "refused", error: `no address for ${signal}` };
      const sent = {
        "user-agent": options.userAgent,
        ...headers,
        ...options.headers,
        "content-type": contentTypes[encoding],
        "content-length": body.length,
        ...(coding === null ? {} : { "content-encoding": coding }),
      };
      return new Promise<Delivery>((resolve) => {
        const sending = request(url, { method: "POST", agent, headers: sent });
        // A timer of our own: a signal would hold on to the request, and so to its body, until the time is over.
        const timer = setTimeout(() => sending.destroy(new OutOfTime(options.timeoutMs)), options.timeoutMs);
        const ended = (delivery: Delivery): void => {
          clearTimeout(timer);
          resolve(delivery);
        };
        sending.on("response", (response) => void readAnswer(response, outgoing).then(ended));
        sending.on("error", (error) => ended(unreached(error)));
        sending.end(body);
      });
    },
    // The agent knows what is under way. A set of requests would, too, but its old tables keep those that were in them, and so their bodies, from being
    // collected with the young ones.
    close: () => agent.destroy(),
  };
}

async function readAnswer(
  response: IncomingMessage,
  { signal, encoding }: OutgoingRequest,
): Promise<Delivery> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    const answer = await bodyOf(response).catch(() => null);
    return delivered(signal, response.headers["content-type"]?.includes("json") ? "json" : encoding, answer);
  }
  const answer = await bodyOf(response).catch(() => null);
  const error = `HTTP ${status} ${response.statusMessage ?? ""}`.trim() + excerpt(answer);
  if (!RETRYABLE.includes(status)) return { kind: "refused", error };
  const wait = retryAfterMs(response.headers["retry-after"], Date.now());
  return { kind: "later", error, retryAfterMs: wait === null ? null : boundedWait(wait) };
}

/** Null when it is longer than any answer should be; the rest is not read. */
async function bodyOf(response: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_ANSWER_BYTES) {
      response.destroy();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The beginning of an answer that is text. */
function excerpt(answer: Uint8Array | null): string {
  const text = Buffer.from(answer ?? [])
    .toString("utf8", 0, 200)
    .trim();
  return text === "" || /[^\P{C}\s]|\ufffd/u.test(text) ? "" : `: ${text}`;
}

function unreached(error: Error): Delivery {
  return { kind: "later", error: error.message || String(error), retryAfterMs: null };
}

class OutOfTime extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}
