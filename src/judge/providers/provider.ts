import type { JudgeReply, JudgeRequest } from "../../evaluate/judge/ask/port.ts";

/**
 * A client of one model API. A call is one HTTP exchange, or several exchanges while the supported
 * parameters of the model are being learned.
 */
export interface Provider {
  /**
   * Sends a request to a model; `model` is the provider's model id. Errors and an aborted signal give a
   * failed reply; the promise does not reject.
   */
  ask(model: string, request: JudgeRequest): Promise<JudgeReply>;
}

/** Address and key of a model API, with fetch and clock. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly key: string | null;
  readonly auth: "bearer" | "api-key" | null;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}
