import type { JudgeReply, JudgeRequest } from "../../evaluate/judge/ask/port.ts";

/**
 * An endpoint with models. A call is one HTTP exchange, or several while the accepted parameters are being
 * learned.
 */
export interface Provider {
  /**
   * Sends a request to a model; `model` is the provider's model id. Never rejects; an aborted signal ends the
   * request with a failure.
   */
  ask(model: string, request: JudgeRequest): Promise<JudgeReply>;
}

/** An endpoint with its key. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly key: string | null;
  readonly auth: "bearer" | "api-key" | null;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}
