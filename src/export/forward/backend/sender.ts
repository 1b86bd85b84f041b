import type { SendResult } from "../../queue/send-result.ts";
import type { Outgoing } from "../outgoing.ts";

export interface SenderOptions {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  /** Path of the backend in the configuration, such as `forward[0]`, for messages. */
  readonly key: string;
  /** Headers to add to each request. These headers take precedence over headers of the original sender. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Sends requests to one backend. Errors are part of the result; `send` does not reject. */
export interface Sender {
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Cancels all requests in progress. */
  close(): void;
}
