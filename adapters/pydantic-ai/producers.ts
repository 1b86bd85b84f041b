import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Pydantic AI",
    scopes: ["pydantic-ai"],
    switches: [
      { gives: contentEvidence, set: "InstrumentationSettings(include_content=True)" },
      { gives: ["agent_names"], set: "Agent(…, name=…)" },
    ],
    page: "pydantic-ai.md",
  },
];
