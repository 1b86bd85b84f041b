import type { Adapter } from "../adapter-type.ts";
import { rolesOf } from "../tables.ts";

/** NVIDIA NeMo Guardrails: a request of an application, its rails, and their actions. */
export const nemoGuardrails: Adapter = {
  dialect: "nemo-guardrails",
  markers: ["rail.type", "rail.name", "action.llm_calls_count"],
  scopes: ["nemo_guardrails"],
  roles: { "rail.type": rolesOf({ guardrail: "input output retrieval", step: "dialog generation" }) },
  names: [
    { pattern: /^guardrails\.request$/, role: "agent" },
    { pattern: /^guardrails\.action$/, role: "step" },
  ],
  events: [
    { name: "guardrails.user_message", fields: { input: ["content"] } },
    { name: "guardrails.utterance.bot.started", fields: { output: ["content"] } },
  ],
};
