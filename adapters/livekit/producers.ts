import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  {
    name: "LiveKit Agents",
    scopes: ["livekit-agents"],
    switches: [],
    page: "livekit.md",
  },
];
