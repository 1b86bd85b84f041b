import type { AgentRun } from "./run.ts";

/** Every field of a run; the type makes a forgotten one an error. */
const fields: Readonly<Record<keyof AgentRun, true>> = {
  runId: true,
  traceId: true,
  traceIds: true,
  rootSpanId: true,
  service: true,
  agent: true,
  finalAgent: true,
  conversationId: true,
  query: true,
  answer: true,
  status: true,
  tools: true,
  handoffs: true,
  handoffsAvailable: true,
  retrievals: true,
  guardrails: true,
  llmCalls: true,
  llm: true,
  usage: true,
  totalTokens: true,
  models: true,
  responseModels: true,
  costUsd: true,
  priceSource: true,
  startUnixMs: true,
  durationMs: true,
  attributes: true,
  dialects: true,
  complete: true,
  closeReason: true,
  missing: true,
  messages: true,
  systemInstructions: true,
  toolDefinitions: true,
  rootEndUnixMs: true,
  rootTraceFlags: true,
  turns: true,
};

/** A run as an object of its own, read whole from the telemetry, so that a changed copy can be made of it. */
export function plainRun(run: AgentRun): AgentRun {
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(fields) as (keyof AgentRun)[]) {
    if (run[field] !== undefined) copy[field] = run[field];
  }
  return copy as unknown as AgentRun;
}
