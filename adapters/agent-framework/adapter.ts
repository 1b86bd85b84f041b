import type { Adapter } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Microsoft's Agent Framework, Python and .NET. */
export const agentFramework: Adapter = {
  dialect: "agent-framework",
  producers,
  markers: [
    "executor.id",
    "workflow.id",
    "edge_group.type",
    "message.source_id",
    "agent_framework.function.invocation.duration",
  ],
  scopes: ["agent_framework", "Experimental.Microsoft.Agents.AI*"],
  names: [
    { pattern: /^workflow\.build$/, role: "setup" },
    { pattern: /^workflow\.(?:run|session)$|^workflow_invoke\b/, role: "workflow" },
    { pattern: /^(?:executor|edge_group)\.process\b|^message\.send$/, role: "step" },
  ],
};
