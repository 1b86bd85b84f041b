import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  {
    name: "Genkit",
    scopes: ["genkit-tracer"],
    switches: [{ gives: ["agent_names"], set: "wrap the agent in ai.defineFlow({ name }, …)" }],
    page: "genkit.md",
  },
];
