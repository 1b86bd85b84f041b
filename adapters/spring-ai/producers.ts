import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Spring AI",
    scopes: ["*"],
    dialects: ["spring-ai"],
    switches: [
      {
        gives: contentEvidence,
        set: "spring.ai.chat.observations.log-prompt=true, spring.ai.chat.observations.log-completion=true, spring.ai.tools.observations.include-content=true",
      },
    ],
    page: "spring-ai.md",
  },
];
