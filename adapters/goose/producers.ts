import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "goose",
    scopes: ["goose", "goose-cli", "goosed"],
    switches: [],
    cannot: [
      { what: "answer", why: "goose records the last piece of a streamed answer only" },
      { what: "usage", why: "goose counts tokens in metrics alone" },
      { what: "tool_results", why: "goose records none" },
    ],
    page: "coding.md",
  },
];
