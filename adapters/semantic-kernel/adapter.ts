import type { Adapter } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Microsoft's Semantic Kernel. */
export const semanticKernel: Adapter = {
  dialect: "semantic-kernel",
  producers,
  markers: ["sk.available_functions"],
  scopes: ["semantic_kernel.*", "Microsoft.SemanticKernel*"],
  names: [
    { pattern: /^(?:chat|text)\.(?:streaming_)?completions\b/, role: "call" },
    { pattern: /^AutoFunctionInvocationLoop$/, role: "step" },
    { pattern: /^agent_runtime /, role: "message" },
  ],
};
