import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Braintrust",
    scopes: ["braintrust", "braintrust.*", "braintrust-*"],
    switches: [{ gives: ["session_ids"], set: "session_id in the metadata of the outermost span" }],
    cannot: [{ what: "agent_names", why: "it has no attribute for them; spans are read by their names" }],
    page: "other-platforms.md",
  },
];
