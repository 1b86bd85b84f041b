import type { Adapter } from "../../src/runs/adapter.ts";

/** Laminar. */
export const laminar: Adapter = {
  dialect: "laminar",
  markers: ["lmnr.span.type", "lmnr.span.path", "lmnr.span.input"],
  scopes: ["lmnr*"],
  roles: [
    {
      attribute: "lmnr.span.type",
      roles: {
        llm: "call",
        cached: "call",
        tool: "tool",
        default: "step",
        pipeline: "workflow",
        executor: "agent",
        evaluator: "evaluation",
        human_evaluator: "evaluation",
        evaluation: "evaluation",
      },
    },
  ],
  fields: {
    conversation: ["lmnr.association.properties.session_id"],
    input: ["lmnr.span.input"],
    output: ["lmnr.span.output"],
  },
};
