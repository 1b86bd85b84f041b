import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "LiveKit Agents",
    scopes: ["livekit-agents"],
    switches: [],
    page: "livekit.md",
  },
];
