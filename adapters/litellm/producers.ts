import { contentEvidence, onlyClient, ownSpans, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "LiteLLM",
    scopes: ["litellm"],
    switches: [{ gives: contentEvidence, set: "litellm.turn_off_message_logging = False" }, ...ownSpans],
    cannot: onlyClient,
    page: "litellm.md",
  },
];
