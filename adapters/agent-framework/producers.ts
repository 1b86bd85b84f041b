import { contentEvidence, type Producer } from "../producer-type.ts";

/** Description of the instrumentation for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "Microsoft Agent Framework",
    scopes: ["agent_framework", "Experimental.Microsoft.Agents.AI*"],
    switches: [
      {
        gives: contentEvidence,
        set: "ENABLE_SENSITIVE_DATA=true, or observability.enable_sensitive_telemetry()",
      },
    ],
    page: "agent-framework.md",
  },
];
