import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Langfuse SDK",
    scopes: ["langfuse-sdk"],
    switches: [
      { gives: contentEvidence, set: "remove the `mask` function, or let it keep inputs and outputs" },
      { gives: ["session_ids"], set: "propagateAttributes({ sessionId }, run)" },
    ],
    page: "langfuse.md",
  },
];
