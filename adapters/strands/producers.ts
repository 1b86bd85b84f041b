import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Strands Agents",
    scopes: ["strands.telemetry.tracer", "strands-agents"],
    switches: [{ gives: ["session_ids"], set: 'Agent(trace_attributes={"session.id": …})' }],
    page: "strands.md",
  },
];
