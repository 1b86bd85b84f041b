import type { Adapter } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { words } from "../tables.ts";

/** Microsoft's Agent Framework, Python and .NET. */
export const agentFramework: Adapter = {
  dialect: "agent-framework",
  markers: words(`
    executor.id workflow.id edge_group.type message.source_id
    agent_framework.function.invocation.duration
  `),
  scopes: ["agent_framework", "Experimental.Microsoft.Agents.AI*"],
  names: [
    { pattern: /^workflow\.build$/, role: "setup" },
    { pattern: /^workflow\.(?:run|session)$|^workflow_invoke\b/, role: "workflow" },
    { pattern: /^(?:executor|edge_group)\.process\b|^message\.send$/, role: "step" },
  ],
  producers: [
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
  ],
};
