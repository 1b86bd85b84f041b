import type { SendResult } from "../../queue/send-result.ts";
import type { Outgoing } from "../outgoing.ts";

export interface SenderOptions {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  /** Configuration key of the backend, for messages. */
  readonly key: string;
  /** Headers added to each request. These headers take precedence over the sender's headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Sends requests to one backend. The sender reports errors and never throws. */
export interface Sender {
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Cancels all requests in progress. */
  close(): void;
}
