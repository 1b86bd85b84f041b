import { contentEvidence, openAiStreams, type Producer, type Switch } from "../producer-type.ts";

const traceloop: readonly Switch[] = [
  { gives: contentEvidence, set: "TRACELOOP_TRACE_CONTENT=true (JavaScript also: traceContent: true)" },
  {
    gives: ["session_ids"],
    set: "Traceloop.set_association_properties({ session_id }) (JavaScript: withAssociationProperties)",
  },
  { gives: ["agent_names"], set: "@agent(name=…) around each agent (JavaScript: withAgent({ name }, …))" },
  openAiStreams,
];

/** Descriptions of the instrumentations for `doctor`. */
export const producers: readonly Producer[] = [
  {
    name: "OpenLLMetry",
    scopes: ["@traceloop/*", "traceloop.tracer"],
    switches: traceloop,
    page: "openllmetry.md",
  },
  {
    name: "OpenLLMetry (Python)",
    scopes: ["opentelemetry.instrumentation.*"],
    dialects: ["openllmetry"],
    switches: traceloop,
    page: "openllmetry.md",
  },
];
