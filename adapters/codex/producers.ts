import type { Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Codex",
    scopes: ["codex_*"],
    switches: [
      { gives: ["query"], set: "log_user_prompt = true in the table [otel] of config.toml" },
      {
        gives: ["tool_arguments", "tool_results"],
        set: "exporter in the table [otel] of config.toml: its log records hold both",
      },
      { gives: ["model_calls", "usage"], set: "trace_exporter in the table [otel] of config.toml" },
    ],
    page: "coding.md",
  },
];
