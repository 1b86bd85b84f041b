import { contentEvidence, onlyClient, ownSpans, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Anthropic's SDK",
    scopes: ["com.anthropic.sdk.*", "com.anthropic.claude-platform"],
    switches: [
      { gives: contentEvidence, set: "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content" },
      ...ownSpans,
    ],
    cannot: onlyClient,
    page: "model-clients.md",
  },
];
