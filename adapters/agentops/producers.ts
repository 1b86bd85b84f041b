import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  { name: "AgentOps", scopes: ["agentops"], switches: [], page: "openai-agents-javascript.md" },
];
