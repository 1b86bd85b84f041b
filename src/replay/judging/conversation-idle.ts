import type { Config } from "../../config/config.ts";
import { judgesConversations } from "../../pipeline/claim.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";

/**
 * Returns the pause that separates conversations, if a spec is about conversations; otherwise undefined, and
 * runs are not grouped.
 */
export function conversationIdle(
  specs: readonly CompiledSpec[],
  { conversationIdleMs }: Pick<Config, "conversationIdleMs">,
): number | undefined {
  return judgesConversations(specs) ? conversationIdleMs : undefined;
}
