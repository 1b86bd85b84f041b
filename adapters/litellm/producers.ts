import { contentEvidence, onlyClient, ownSpans, type Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  {
    name: "LiteLLM",
    scopes: ["litellm"],
    switches: [{ gives: contentEvidence, set: "litellm.turn_off_message_logging = False" }, ...ownSpans],
    cannot: onlyClient,
    page: "litellm.md",
  },
];
