import type { Adapter } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** AgentScope 2: OpenTelemetry's conventions, with AgentScope's own attributes for other facts. */
export const agentscope: Adapter = {
  dialect: "agentscope",
  markers: words(`
    agentscope.agent.reply_id agentscope.usage.cache_input_tokens
    agentscope.usage.cache_creation_input_tokens
  `),
  scopes: ["agentscope"],
  fields: {
    cachedTokens: ["agentscope.usage.cache_input_tokens"],
    cacheWriteTokens: ["agentscope.usage.cache_creation_input_tokens"],
  },
};
