import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "LangWatch",
    scopes: ["langwatch", "langwatch.*"],
    switches: [
      { gives: contentEvidence, set: "leave capture_input=False and capture_output=False out" },
      { gives: ["session_ids"], set: "thread_id in the metadata of the trace" },
    ],
    cannot: [{ what: "agent_names", why: "it has no attribute for them; spans are read by their names" }],
    page: "other-platforms.md",
  },
];
