import type { Producer } from "../../src/runs/producer.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  { name: "Pipecat", scopes: ["pipecat", "pipecat.turn"], switches: [], page: "pipecat.md" },
];
