import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  { name: "AgentOps", scopes: ["agentops"], switches: [], page: "openai-agents-javascript.md" },
];
