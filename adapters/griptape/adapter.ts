import type { Adapter } from "../adapter-type.ts";

/** Griptape. Its spans are methods of its classes, without further attributes. */
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
