import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "VoltAgent",
    scopes: ["@voltagent/*"],
    switches: [{ gives: ["session_ids"], set: "conversationId in the options of each call" }],
    page: "voltagent.md",
  },
];
