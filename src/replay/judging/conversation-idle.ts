import type { Config } from "../../config/config.ts";
import { judgesConversations } from "../../pipeline/claim.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";

/** The pause that parts conversations, where a spec is about such; undefined where none is, and none are put together. */
export function conversationIdle(
  specs: readonly CompiledSpec[],
  { conversationIdleMs }: Pick<Config, "conversationIdleMs">,
): number | undefined {
  return judgesConversations(specs) ? conversationIdleMs : undefined;
}
