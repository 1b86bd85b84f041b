import type { Producer } from "../producer-type.ts";

/** What `doctor` knows of the instrumentation. */
export const producers: readonly Producer[] = [
  {
    name: "LlamaIndex",
    scopes: ["llamaindex.opentelemetry.tracer"],
    switches: [
      {
        gives: ["messages", "tool_arguments", "usage"],
        set: "openinference-instrumentation-llama-index instead of the native package, which writes events only in its early versions",
      },
    ],
    page: "llamaindex.md",
  },
];
