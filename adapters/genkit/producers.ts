import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Genkit",
    scopes: ["genkit-tracer"],
    switches: [{ gives: ["agent_names"], set: "wrap the agent in ai.defineFlow({ name }, …)" }],
    page: "genkit.md",
  },
];
