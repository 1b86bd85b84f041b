import type { Adapter } from "../adapter-type.ts";

/** Griptape. Griptape's spans are named after methods of its classes. Their only attribute, `tags`, repeats the name. */
export const griptape: Adapter = {
  dialect: "griptape",
  names: [
    { pattern: /^\w+PromptDriver\.run\(\)$/, role: "call", own: true },
    { pattern: /^(?:Agent|Pipeline|Workflow)\.run\(\)$/, role: "agent", own: true },
    { pattern: /^\w+(?:Driver|Agent|Pipeline|Workflow|Task)\.try_run\(\)$/, role: "step", own: true },
    { pattern: /^(?:Agent|Pipeline|Workflow)\.(?:before|after|try)_run\(\)$/, role: "step", own: true },
    { pattern: /^\w+\.try_run\(\)$/, role: "tool", own: true },
  ],
};
