import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Qwen Code",
    scopes: ["qwen-code"],
    switches: [
      { gives: ["query", "messages"], set: '"logPrompts": true under "telemetry" in settings.json' },
      { gives: ["model_calls", "usage"], set: '"enabled": true under "telemetry" in settings.json' },
      { gives: ["system_instructions", "tool_definitions"], set: "version 0.24 or later, which sends spans" },
    ],
    page: "coding.md",
  },
];
