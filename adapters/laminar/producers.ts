import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Laminar",
    scopes: ["lmnr*"],
    switches: [{ gives: contentEvidence, set: "leave ignoreInput and ignoreOutput out of observe()" }],
    page: "laminar.md",
  },
];
