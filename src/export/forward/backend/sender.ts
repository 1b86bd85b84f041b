import type { SendResult } from "../../queue/send-result.ts";
import type { Outgoing } from "../outgoing.ts";

export interface SenderOptions {
  /** Base address; `/v1/traces` and the like are appended for HTTP. */
  readonly endpoint: string;
  /** Place in the configuration, for messages. */
  readonly key: string;
  /** Sent with each request; win over those that the sender sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Sends requests to one backend; reports, never throws. */
export interface Sender {
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Breaks off what is under way. */
  close(): void;
}
