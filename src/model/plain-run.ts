import type { AgentRun, ModelCall, ToolCall } from "./run.ts";

/** Every field of a run. If a field is missing here, TypeScript reports an error. */
const fields: Readonly<Record<keyof AgentRun, true>> = {
  runId: true,
  traceId: true,
  traceIds: true,
  rootSpanId: true,
  service: true,
  agent: true,
  isNamedByService: true,
  finalAgent: true,
  conversationId: true,
  query: true,
  answer: true,
  answerBegin: true,
  status: true,
  error: true,
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
  rootEndUnixNano: true,
  rootTraceFlags: true,
  source: true,
  sources: true,
  stepOrder: true,
  turns: true,
  fault: true,
  playback: true,
  replaces: true,
};

const toolFields: Readonly<Record<keyof ToolCall, true>> = {
  spanId: true,
  traceId: true,
  name: true,
  arguments: true,
  result: true,
  error: true,
  agent: true,
  callId: true,
  startUnixMs: true,
  durationMs: true,
  executed: true,
  retried: true,
  through: true,
};

const callFields: Readonly<Record<keyof ModelCall, true>> = {
  serviceTier: true,
  spanId: true,
  traceId: true,
  agent: true,
  model: true,
  responseModel: true,
  finishReason: true,
  responseId: true,
  usage: true,
  costUsd: true,
  startUnixMs: true,
  durationMs: true,
  error: true,
  completions: true,
};

/** Returns a run as a plain object in which all fields are evaluated. Callers can spread it into a changed copy. */
export function plainRun(run: AgentRun): AgentRun {
  return {
    ...copy(run, fields),
    tools: run.tools.map((call) => copy(call, toolFields)),
    llm: run.llm.map((call) => copy(call, callFields)),
  };
}

function copy<Thing extends object>(thing: Thing, all: Readonly<Record<keyof Thing, true>>): Thing {
  const own: Partial<Thing> = {};
  for (const field of Object.keys(all) as (keyof Thing)[]) {
    if (thing[field] !== undefined) own[field] = thing[field];
  }
  return own as Thing;
}
