import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "AutoGen",
    scopes: ["autogen-core", "autogen *"],
    switches: [
      {
        gives: ["messages", "answer", "usage", "models", "model_calls"],
        set: "instrument the model client as well, for instance with openinference-instrumentation-openai",
      },
    ],
    page: "autogen.md",
  },
];
