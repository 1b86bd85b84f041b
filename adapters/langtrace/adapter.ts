import type { Adapter } from "../adapter-type.ts";

/** Langtrace's SDK: older GenAI attributes, some with Langtrace's own names. Contents are in events. */
export const langtrace: Adapter = {
  dialect: "langtrace",
  markers: ["langtrace.sdk.name", "langtrace.service.name"],
  scopes: ["langtrace_python_sdk*", "@langtrase/*"],
  roles: {
    "langtrace.service.type": { vectordb: "retriever" },
    "langchain.task.name": { chatmodel: "call" },
  },
  fields: {
    cachedTokens: ["gen_ai.usage.cached_tokens"],
    conversation: ["session.id"],
    inputMessages: ["langchain.inputs"],
    outputMessages: ["langchain.outputs"],
  },
  role: ({ span }, role) => (span.scopeName.endsWith("with_root_span") ? "agent" : role),
  derive: {
    // The decorator names its span as the function or agent that it wraps.
    agent: ({ span }) => (span.scopeName.endsWith("with_root_span") ? span.name : undefined),
  },
};
