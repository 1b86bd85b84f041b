import { contentEvidence, openAiStreams, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Future AGI's traceAI",
    scopes: ["traceai_*", "traceai-*", "@traceai/*"],
    switches: [
      {
        gives: contentEvidence,
        set: "unset FI_HIDE_INPUTS, FI_HIDE_OUTPUTS and every other FI_HIDE_* variable",
      },
      openAiStreams,
    ],
    page: "other-platforms.md",
  },
];
