import type { Adapter } from "../adapter-type.ts";

/** Qwen Code. Spans have Claude Code's names and the attributes of OpenTelemetry's conventions; log records have Gemini CLI's names. */
export const qwenCode: Adapter = {
  dialect: "qwen-code",
  scopes: ["qwen-code"],
  fields: { agent: ["subagent_name", "qwen-code.subagent.name"] },
  // A turn that the limit of turns, or a person, ended has no other sign of it.
  derive: {
    success: ({ span }) => (span.named("qwen-code.turn_status") === "cancelled" ? false : undefined),
  },
  producers: [
    {
      name: "Qwen Code",
      scopes: ["qwen-code"],
      switches: [
        { gives: ["query", "messages"], set: '"logPrompts": true under "telemetry" in settings.json' },
        { gives: ["model_calls", "usage"], set: '"enabled": true under "telemetry" in settings.json' },
        { gives: ["finish_reasons", "agent_names"], set: "version 0.24 or later, which sends spans" },
        {
          gives: ["system_instructions", "tool_definitions"],
          set: '"includeSensitiveSpanAttributes": true under "telemetry" in settings.json, in version 0.24 or later',
        },
      ],
      page: "coding.md",
    },
  ],
};
