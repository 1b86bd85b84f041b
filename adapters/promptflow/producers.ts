import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  { name: "Prompt flow", scopes: ["promptflow"], switches: [], page: "promptflow.md" },
];
