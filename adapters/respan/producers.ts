import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Respan",
    // Spans of its instrumentations have no scope.
    scopes: ["", "respan*"],
    dialects: ["respan"],
    switches: [
      { gives: contentEvidence, set: "leave RESPAN_TRACE_CONTENT=false out" },
      { gives: ["session_ids"], set: "thread_identifier in propagate_attributes()" },
    ],
    page: "other-platforms.md",
  },
];
