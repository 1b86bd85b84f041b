import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Mastra",
    scopes: ["@mastra/*"],
    switches: [{ gives: ["session_ids"], set: "tracingOptions: { metadata: { sessionId } } on each call" }],
    page: "mastra.md",
  },
];
