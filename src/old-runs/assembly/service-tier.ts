import type { LlmCall } from "../fragments/llm-call.ts";
import { ByteWord } from "../text/byte-search.ts";
import type { Field } from "../../../adapters/field-names.ts";
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

const tier = new ByteWord("ier");
const inResponse = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

function tierIn({ node }: LlmCall, field: Field): string | undefined {
  const { reading } = node;
  if (reading.has(field) ? !reading.mayMention(field, tier) : !node.has(field)) return undefined;
  const text = node.text(field);
  return text === undefined ? undefined : inResponse.exec(text)?.[1];
}
