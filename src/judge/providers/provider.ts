import type { JudgeReply, JudgeRequest } from "../../evaluate/judge/ask/port.ts";

/** Client of one model API. One call can be several HTTP exchanges while the client learns which parameters a model supports. */
export interface Provider {
  /**
   * Sends a request. An error or an aborted signal gives a failed reply; the promise does not reject.
   * @param model the provider's id of the model
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
