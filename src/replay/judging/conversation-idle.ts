import type { Config } from "../../config/config.ts";
import { judgesConversations } from "../../pipeline/claim.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";

/**
 * Returns the pause in milliseconds that separates conversations; undefined if no spec judges conversations, so that runs are not grouped.
 */
export function conversationIdle(
  specs: readonly CompiledSpec[],
  { conversationIdleMs }: Pick<Config, "conversationIdleMs">,
): number | undefined {
  return judgesConversations(specs) ? conversationIdleMs : undefined;
}
