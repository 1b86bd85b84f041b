import type { JudgeReply, JudgeRequest } from "../../evaluate/judge/ask/port.ts";

/** One endpoint with models. A call is one HTTP exchange, or several while it learns the supported parameters. */
export interface Provider {
  /** `model` is the provider's own id. Never rejects; an aborted signal ends it with any failure. */
  ask(model: string, request: JudgeRequest): Promise<JudgeReply>;
}

/** An endpoint with its key in hand. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly key: string | null;
  readonly auth: "bearer" | "api-key" | null;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}
