import type { LlmCall } from "../fragments/llm-call.ts";
import type { Field } from "../layout/fields.ts";
import { isUsualTier, plainTier } from "../span/tier-names.ts";

/**
 * The service tier at which a call was served, where that is not the provider's usual one: as its span says, else the response that
 * it kept, else the request.
 */
export function serviceTierOf(call: LlmCall): string | null {
  const said =
    call.field("serviceTier") ??
    tierIn(call, "output") ??
    call.field("requestedTier") ??
    tierIn(call, "parameters");
  return said === undefined || isUsualTier(said) ? null : plainTier(said);
}

const inResponse = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

function tierIn({ node }: LlmCall, field: Field): string | undefined {
  const text = node.has(field) ? node.text(field) : undefined;
  return text === undefined ? undefined : inResponse.exec(text)?.[1];
}
