import type { Adapter } from "../adapter-type.ts";
import { words } from "../tables.ts";

/**
 * CrewAI under OpenInference and OpenLLMetry. Spans of the vendor's own telemetry are recognised, too, so that they do not become part of a
 * run.
 */
export const crewai: Adapter = {
  dialect: "crewai",
  markers: [
    "crew_key",
    "crewai.crew.id",
    "crewai.agent.role",
    "crewai.task.description",
    "task_key",
    "gen_ai.crewai.operation",
  ],
  scopes: words("crewai.telemetry openinference.instrumentation.crewai opentelemetry.instrumentation.crewai"),
  fields: {
    agent: ["crewai.agent.role"],
    input: ["crew_inputs", "crewai.task.description"],
    output: ["crewai.crew.result"],
    history: ["crewai.crew.tasks_output"],
  },
  wrappedQuery: [/^Task: ([\s\S]+?)\nExpected output: /],
  role: ({ span }, role) => (span.scopeName === "crewai.telemetry" ? "message" : role),
};
