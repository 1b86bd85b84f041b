import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  { name: "Prompt flow", scopes: ["promptflow"], switches: [], page: "promptflow.md" },
];
