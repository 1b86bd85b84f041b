import type { JudgeRequest } from "../../evaluate/judge/ask/port.ts";
import { sha256 } from "../../support/structures/sha256.ts";

/** What makes two questions the same: model, rubric, prompt, judged content, and how it is asked. 64 hex digits. */
export function cacheKey(request: JudgeRequest, address?: string): string {
  const { model, rubric, promptHash, system, user, schema, maxTokens, temperature, structured, sample } =
    request;
  return sha256(
    JSON.stringify([
      1,
      model,
      rubric,
      promptHash,
      system,
      user,
      schema,
      maxTokens,
      temperature,
      structured,
      sample,
      ...(address === undefined ? [] : [address]),
    ]),
  );
}
