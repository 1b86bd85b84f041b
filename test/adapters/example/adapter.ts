import type { Adapter } from "../../../adapters/adapter-type.ts";

/** Acme's agent library. */
export const acme: Adapter = {
  dialect: "acme",
  markers: ["acme.kind"],
  roles: { "acme.kind": { run: "agent", llm: "call", action: "tool", note: "copy" } },
  fields: {
    agent: ["acme.agent"],
    conversation: ["acme.chat_id"],
    input: ["acme.question"],
    output: ["acme.answer"],
    requestModel: ["acme.llm.model"],
    inputTokens: ["acme.llm.tokens.in"],
    outputTokens: ["acme.llm.tokens.out"],
    cachedTokens: ["acme.llm.tokens.cached"],
    inputMessages: ["acme.llm.sent"],
    outputMessages: ["acme.llm.got"],
    tool: ["acme.action.name"],
    callId: ["acme.action.id"],
    arguments: ["acme.action.params"],
    result: ["acme.action.outcome"],
    success: ["acme.action.ok"],
  },
  apart: () => ({ cached: true }),
};
