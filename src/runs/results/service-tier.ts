import { wordList } from "../../support/structures/word-list.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { F } from "../facts/fields.ts";

/** Names of the default tier. */
const usualTiers: ReadonlySet<string> = new Set(
  wordList("auto default none null on_demand ondemand standard standard_only"),
);

/**
 * Service tier of a call, such as `flex` for `ServiceTier.FLEX`, if it is not the default: from its span, the recorded response, or the
 * request.
 */
export function serviceTierOf(call: LlmCall): string | null {
  const said =
    call.textOf(F.serviceTier) ??
    tierWithin(call, F.output) ??
    call.textOf(F.requestedTier) ??
    tierWithin(call, F.parameters);
  if (said === null) return null;
  const tier = said
    .slice(said.lastIndexOf(".") + 1)
    .trim()
    .toLowerCase()
    .replace(/[ -]/g, "_");
  return tier === "" || usualTiers.has(tier) ? null : tier;
}

const tierMember = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

function tierWithin({ node }: LlmCall, field: number): string | null {
  if (!node.hasField(field)) return null;
  const text = node.nthRaw(field, 0);
  return typeof text === "string" && text.includes("ier") ? (tierMember.exec(text)?.[1] ?? null) : null;
}
