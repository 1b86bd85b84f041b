import type { Adapter } from "../adapter-type.ts";

/** AutoGen's core runtime. AutoGen's messages between actors are infrastructure spans. */
export const autogen: Adapter = {
  dialect: "autogen",
  scopes: ["autogen-core", "autogen *"],
  names: [
    { pattern: /^autogen (?:create|send|publish|process|ack|intercept)/, role: "message", own: true },
    { pattern: /^create_agent\b/, role: "setup" },
  ],
  producers: [
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
  ],
};
