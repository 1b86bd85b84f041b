import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Logfire",
    scopes: ["logfire", "logfire.*"],
    switches: [
      {
        gives: contentEvidence,
        set: "include_content=True where it is instrumented; scrubbing=False if values arrive as [Scrubbed …]",
      },
    ],
    page: "pydantic-ai.md",
  },
];
