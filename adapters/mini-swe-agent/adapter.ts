import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";

const TASK = "minisweagent.task.preview";

/** mini-swe-agent under LoongSuite's instrumentation. Its messages are in the attributes of OpenTelemetry's GenAI conventions. */
export const miniSweAgent: Adapter = {
  dialect: "mini-swe-agent",
  markers: [TASK],
  derive: { input: taskOf },
  wrappedQuery: [/^Please solve this issue: ([\s\S]+?)\n\nYou can execute bash commands and edit files/],
};

/** Returns the task; undefined if the instrumentation truncated it. */
function taskOf({ span }: SpanFacts): JsonValue | undefined {
  const task = span.named(TASK);
  return typeof task === "string" && !task.endsWith("...") ? task : undefined;
}
