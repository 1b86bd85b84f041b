import type { SendResult } from "../../queue/send-result.ts";
import type { Outgoing } from "../outgoing.ts";

export interface SenderOptions {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  /** Configuration key of the backend for messages, such as `forward[0]`. */
  readonly key: string;
  /** Headers to add to each request. An added header replaces a header with the same name from the original sender. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Sends requests to one backend. `send` never rejects; its result contains the error. */
export interface Sender {
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Cancels all requests in progress. */
  close(): void;
}
