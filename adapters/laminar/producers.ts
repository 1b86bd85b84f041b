import { contentEvidence, type Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  {
    name: "Laminar",
    scopes: ["lmnr*"],
    switches: [{ gives: contentEvidence, set: "leave ignoreInput and ignoreOutput out of observe()" }],
    page: "laminar.md",
  },
];
