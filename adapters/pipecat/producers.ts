import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  { name: "Pipecat", scopes: ["pipecat", "pipecat.turn"], switches: [], page: "pipecat.md" },
];
