import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "LangSmith's OpenTelemetry mode",
    scopes: ["langsmith"],
    switches: [
      { gives: contentEvidence, set: "unset LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS" },
      { gives: ["session_ids"], set: "metadata: session_id or thread_id" },
    ],
    page: "langsmith.md",
  },
];
