import type { SpanRole } from "../../../adapters/span-roles.ts";
import { F } from "./fields.ts";

/** The fields of one span, or of all spans with the same keys. */
interface FieldHolder {
  hasField(field: number): boolean;
}

export function roleByContent(one: FieldHolder, isInfrastructure: boolean): SpanRole {
  if (one.hasField(F.handoffTo) || one.hasField(F.handoffFrom)) return "handoff";
  if (one.hasField(F.guardrail)) return "guardrail";
  const hasModel = one.hasField(F.requestModel) || one.hasField(F.responseModel) || one.hasField(F.model);
  const hasUsage = one.hasField(F.inputTokens) || one.hasField(F.outputTokens) || one.hasField(F.usage);
  const hasMessages = one.hasField(F.inputMessages) || one.hasField(F.outputMessages);
  if ((hasModel && (hasUsage || hasMessages)) || (hasUsage && hasMessages)) return "call";
  if (one.hasField(F.tool) || one.hasField(F.callId)) return "tool";
  if (one.hasField(F.documents)) return "retriever";
  // Baggage copies the agent's name onto all spans below the agent, also onto spans of HTTP clients and databases.
  if (one.hasField(F.agent) && !isInfrastructure) return "agent";
  return "unknown";
}

/** Whether the span lacks fields that its role needs, so that undeclared attributes are read, too. */
export function lacksFields(one: FieldHolder, role: SpanRole): boolean {
  const hasInput = one.hasField(F.input);
  const hasOutput = one.hasField(F.output);
  if (role === "call")
    return !(
      (one.hasField(F.inputMessages) || hasInput) &&
      (one.hasField(F.outputMessages) || hasOutput || one.hasField(F.outputText)) &&
      one.hasField(F.cachedTokens) &&
      one.hasField(F.reasoningTokens)
    );
  if (role === "tool")
    return !((one.hasField(F.arguments) || hasInput) && (one.hasField(F.result) || hasOutput));
  if (role === "agent") return !(hasInput || one.hasField(F.inputMessages) || hasOutput);
  if (role === "step" || role === "workflow") return !hasInput && !hasOutput;
  return role === "unknown";
}
