import type { Evidence } from "./evidence.ts";
import { nodeAnswer } from "./node-answer.ts";

/** How messages begin with which model servers and their clients refuse a request. */
const refusal =
  /^(?:Error code: \d{3}\b|This model's maximum context length is \d+ tokens|Rate limit (?:reached|exceeded) for |You exceeded your current quota|Incorrect API key provided|The model `[^`]+` does not exist|(?:openai|anthropic|litellm|google\.\w+)\.[\w.]*Error\b)/i;

/**
 * A model server's refusal that a framework returned as the agent's answer, with a status of success (Agno). Only where no model call has a
 * span: such a span shows that the model itself said it.
 */
export function errorAsAnswer({ root, allCalls }: Evidence): string | undefined {
  if (allCalls.length > 0 || root.role !== "agent") return undefined;
  const answer = nodeAnswer(root);
  return answer !== undefined && refusal.test(answer) ? answer : undefined;
}
