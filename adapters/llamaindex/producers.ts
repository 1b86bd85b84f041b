import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
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
