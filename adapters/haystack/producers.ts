import { contentEvidence, type Producer } from "../producer-type.ts";

/** Descriptions of the instrumentations for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Haystack",
    scopes: ["haystack*"],
    switches: [{ gives: contentEvidence, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
    page: "haystack.md",
  },
  {
    name: "Haystack",
    scopes: ["*"],
    dialects: ["haystack"],
    switches: [{ gives: contentEvidence, set: "HAYSTACK_CONTENT_TRACING_ENABLED=true" }],
    page: "haystack.md",
  },
];
