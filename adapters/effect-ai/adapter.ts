import type { Adapter } from "../adapter-type.ts";

/** Effect's AI packages. Effect's toolkits write two attributes without a prefix. */
export const effectAi: Adapter = {
  dialect: "effect-ai",
  markers: ["gen_ai.openai.request.response_format"],
  names: [{ pattern: /^Toolkit\.handle$/, role: "tool", own: true }],
  fields: { tool: ["tool"], arguments: ["parameters"] },
};
