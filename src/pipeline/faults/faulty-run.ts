import type { Trace } from "../../assemble/trace.ts";
import { type Fault, faultOf, type FaultStage } from "../../model/fault.ts";
import type { AgentRun, Usage } from "../../model/run.ts";
import { elapsedMs, type SpanView } from "../../model/telemetry/span-view.ts";
import type { SourceLine } from "../../model/source-line.ts";

const unknownUsage: Usage = { input: null, output: null, cached: null, cacheWrite: null, reasoning: null };

/** Returns a run of which only the trace id and the fault are known. */
function unknownRun(traceId: string, fault: Fault): AgentRun {
  return {
    runId: traceId,
    traceId,
    traceIds: [traceId],
    rootSpanId: "",
    service: null,
    agent: null,
    finalAgent: null,
    conversationId: null,
    query: null,
    answer: null,
    status: null,
    error: null,
    tools: [],
    handoffs: [],
    handoffsAvailable: null,
    retrievals: [],
    guardrails: [],
    llmCalls: null,
    llm: [],
    usage: unknownUsage,
    totalTokens: null,
    models: [],
    responseModels: [],
    costUsd: null,
    priceSource: null,
    startUnixMs: 0,
    durationMs: 0,
    attributes: new Map(),
    dialects: [],
    complete: false,
    closeReason: "idle",
    missing: [{ what: "run", why: fault.message }],
    messages: [],
    systemInstructions: null,
    toolDefinitions: null,
    rootEndUnixNano: 0n,
    fault,
  };
}

/** Fields of a faulty run that are copied to its placeholder, if reading them does not throw. */
const kept = [
  "runId",
  "traceId",
  "traceIds",
  "rootSpanId",
  "service",
  "agent",
  "conversationId",
  "query",
  "startUnixMs",
  "durationMs",
  "rootEndUnixNano",
  "rootTraceFlags",
  "closeReason",
  "source",
  "replaces",
] as const satisfies readonly (keyof AgentRun)[];

/** Returns a placeholder for a run whose processing threw an exception. Reading the placeholder never throws. */
export function faultyRun(run: AgentRun, fault: Fault): AgentRun {
  const read = kept.map((key) => [key, attempt(() => run[key])] as const);
  const known: Partial<AgentRun> = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  const turns = attempt(() => run.turns);
  const conversation = turns === undefined ? {} : { turns: [], source: attempt(() => turns[0]?.source) };
  return { ...unknownRun(known.traceId ?? "", fault), ...known, ...conversation };
}

/** Returns the ids of the run's traces. If reading the list throws, returns only the first id. */
export function traceIdsOf(run: AgentRun): readonly string[] {
  return attempt(() => run.traceIds) ?? [run.traceId];
}

/** Returns a fault with the position of the run in the dump. For a conversation, this is the position of its first run. */
export function runFault(stage: FaultStage, error: unknown, run: AgentRun): TraceFault {
  const { traceId, source } = faultyRun(run, faultOf(stage, error));
  return traceFault(stage, error, { traceId, source: source ?? attempt(() => run.turns?.[0]?.source) });
}

/** The parts of a failed trace that are needed to make a placeholder for its runs. */
export type FailedTrace = Pick<Trace, "traceId" | "closeReason" | "spans">;

/** Returns a placeholder that replaces the runs of a trace that cannot be read. */
export function unreadRun(trace: FailedTrace, fault: Fault): AgentRun {
  const { traceId, closeReason } = trace;
  const unknown = { ...unknownRun(traceId, fault), closeReason };
  const root = attempt(() => rootOf(trace.spans));
  if (root === undefined) return unknown;
  const { spanId, startUnixMs, endUnixNano, source } = root;
  return {
    ...unknown,
    runId: `${traceId}-${spanId}`,
    rootSpanId: spanId,
    service: attempt(() => serviceOf(root)) ?? null,
    startUnixMs,
    durationMs: elapsedMs(root, root),
    rootEndUnixNano: endUnixNano,
    ...(source === undefined ? {} : { source }),
  };
}

function rootOf(spans: readonly SpanView[]): SpanView | undefined {
  return spans.find(({ parentSpanId }) => parentSpanId === undefined) ?? spans[0];
}

function serviceOf({ resource }: SpanView): string | undefined {
  const name = resource.named("service.name");
  return typeof name === "string" ? name : undefined;
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** An exception that was thrown while one trace, or a run of it, was processed. This trace is finished; other traces are not affected. */
export interface TraceFault extends Fault {
  readonly traceId: string;
  /** Position in the dump from which the trace was read, if known. */
  readonly source: SourceLine | undefined;
  readonly error: unknown;
}

export type OnFault = (fault: TraceFault) => void;

export function traceFault(
  stage: FaultStage,
  error: unknown,
  { traceId, source }: { readonly traceId: string; readonly source?: SourceLine | undefined },
): TraceFault {
  return { ...faultOf(stage, error), traceId, source, error };
}
