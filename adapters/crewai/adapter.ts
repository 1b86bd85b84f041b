import { type Adapter, parseJson, type SpanFacts } from "../adapter-type.ts";
import { words } from "../tables.ts";

/**
 * CrewAI under OpenInference, traceAI and OpenLLMetry. Spans of the vendor's own telemetry are recognised, too, so that they do not become
 * part of a run.
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
  derive: { agent: agentOfTask, input: onlyTask },
  role: ({ span }, role) => (span.scopeName === "crewai.telemetry" ? "message" : role),
};

/** Returns the role of the agent that does a task. Some versions name the spans of all tasks `Task._execute_core`. */
function agentOfTask(facts: SpanFacts): string | undefined {
  if (!facts.span.name.endsWith("._execute_core")) return undefined;
  return /"entity_type": "agent", "id": "[^"]*", "role": "([^"\\]+)"/.exec(
    facts.head("input.value") ?? "",
  )?.[1];
}

/** Returns the description of a crew's task if the crew has one task, and its description is no template for the crew's inputs. */
function onlyTask({ span }: SpanFacts): string | undefined {
  const written = span.named("crew_tasks");
  const tasks = typeof written === "string" ? parseJson(written) : undefined;
  if (!Array.isArray(tasks) || tasks.length !== 1) return undefined;
  const { description } = Object(tasks[0]) as { readonly description?: unknown };
  return typeof description === "string" && !/\{\w+\}/.test(description) ? description : undefined;
}
