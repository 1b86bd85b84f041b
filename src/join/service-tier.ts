import type { Call } from "../adapt/call.ts";
import type { Field } from "../adapt/fields.ts";
import { isUsualTier, plainTier } from "../adapt/service-tier.ts";

/**
 * The service tier at which a call was served, where that is not the provider's usual one: as its span says, else the response that
 * it kept, else the request.
 */
export function serviceTierOf(call: Call): string | null {
  const said =
    call.field("serviceTier") ??
    tierIn(call, "output") ??
    call.field("requestedTier") ??
    tierIn(call, "parameters");
  return said === undefined || isUsualTier(said) ? null : plainTier(said);
}

const inResponse = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

function tierIn({ piece }: Call, field: Field): string | undefined {
  const text = piece.has(field) ? piece.text(field) : undefined;
  return text === undefined ? undefined : inResponse.exec(text)?.[1];
}
