import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  { name: "Pipecat", scopes: ["pipecat", "pipecat.turn"], switches: [], page: "pipecat.md" },
];
