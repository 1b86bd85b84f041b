import type { SendResult } from "../../queue/send-result.ts";
import type { Outgoing } from "../outgoing.ts";

export interface SenderOptions {
  readonly endpoint: string;
  /** Configuration key of the backend for messages, such as `forward[0]`. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/**
 * Sends requests to one backend. If an attempt fails, the result of `send` contains the error. `send` rejects only if no request can be
 * made, for example because of invalid headers.
 */
export interface Sender {
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Cancels all requests in progress. */
  close(): void;
}
