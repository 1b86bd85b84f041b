import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Agent 365",
    scopes: ["agent365-*", "Agent365Sdk", "microsoft-agents-a365*"],
    switches: [],
    page: "openai-agents-javascript.md",
  },
];
