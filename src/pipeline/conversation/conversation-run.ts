import { largest } from "../../support/structures/long-lists.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type { AgentRun, Missing, PlacedStep, Usage } from "../../model/run.ts";

/** The reason why a conversation was evaluated before it ended. Its combined run is incomplete. */
export interface Cut {
  readonly why: string;
}

/**
 * Combines the runs of a conversation into one run, so that all checks of runs apply to the conversation. The combined run has the first
 * question, the last answer, the steps of all turns, and the id of the first run. If a count or cost of one turn is unknown, the total is
 * unknown.
 * @param runs at least one run, in order of start
 */
export function conversationRun(runs: readonly AgentRun[], cut?: Cut): AgentRun {
  const first = runs[0];
  const last = runs.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a conversation has at least one run");
  const failed = runs.find((run) => run.status === "error");
  // The start times are subtracted first, because durations are exact to the nanosecond, and absolute times are not.
  const durationMs = largest(runs.map((run) => run.startUnixMs - first.startUnixMs + run.durationMs));
  return {
    runId: first.runId,
    traceId: first.traceId,
    traceIds: distinct(runs.flatMap((run) => run.traceIds)),
    rootSpanId: first.rootSpanId,
    service: first.service,
    agent: first.agent,
    ...(runs.some((run) => run.isNamedByService === true) ? { isNamedByService: true } : {}),
    finalAgent: last.finalAgent,
    conversationId: first.conversationId,
    query: first.query,
    answer: last.answer,
    status: failed === undefined ? allKnown(runs, (run) => run.status) : "error",
    error: failed?.error ?? null,
    tools: runs.flatMap((run) => run.tools),
    handoffs: runs.flatMap((run) => run.handoffs),
    handoffsAvailable: offered(runs),
    retrievals: runs.flatMap((run) => run.retrievals),
    guardrails: runs.flatMap((run) => run.guardrails),
    llmCalls: sum(runs, (run) => run.llmCalls),
    llm: runs.flatMap((run) => run.llm),
    usage: usageOf(runs),
    totalTokens: sum(runs, (run) => run.totalTokens),
    models: distinct(runs.flatMap((run) => run.models)),
    responseModels: distinct(runs.flatMap((run) => run.responseModels)),
    costUsd: sum(runs, (run) => run.costUsd),
    priceSource: runs.find((run) => run.priceSource !== null)?.priceSource ?? null,
    startUnixMs: first.startUnixMs,
    durationMs,
    attributes: attributesOf(runs),
    dialects: distinct(runs.flatMap((run) => run.dialects)),
    complete: cut === undefined && runs.every((run) => run.complete),
    closeReason: last.closeReason,
    missing: missingOf(runs, cut),
    messages: runs.flatMap(messagesOfTurn),
    systemInstructions: first.systemInstructions,
    toolDefinitions: first.toolDefinitions,
    rootEndUnixNano: first.rootEndUnixNano,
    ...(first.rootTraceFlags === undefined ? {} : { rootTraceFlags: first.rootTraceFlags }),
    ...orderOf(runs),
    ...playbackOf(runs),
    turns: runs,
  };
}

const effects = ["none", "warn", "incomplete", "fail"] as const;

/** Returns the combined playback state of the turns that used recorded model answers. */
function playbackOf(runs: readonly AgentRun[]): Pick<AgentRun, "playback"> {
  const known = runs.flatMap(({ playback }) => (playback === undefined ? [] : [playback]));
  const [first] = known;
  if (first === undefined) return {};
  const effect = effects.findLast((one) => known.some((playback) => playback.effect === one)) ?? "none";
  return {
    playback: { runId: first.runId, effect, divergences: known.flatMap(({ divergences }) => divergences) },
  };
}

/** Returns the steps of all turns in order; `stepOrder` is absent if the order within a turn is unknown. */
function orderOf(runs: readonly AgentRun[]): Pick<AgentRun, "stepOrder"> {
  const before = { model: 0, tool: 0, handoff: 0, retrieval: 0, guardrail: 0 };
  const steps: PlacedStep[] = [];
  for (const run of runs) {
    if (run.stepOrder === undefined) return {};
    for (const step of run.stepOrder) steps.push({ ...step, index: step.index + before[step.kind] });
    before.model += run.llm.length;
    before.tool += run.tools.length;
    before.handoff += run.handoffs.length;
    before.retrieval += run.retrievals.length;
    before.guardrail += run.guardrails.length;
  }
  return { stepOrder: steps };
}

/**
 * Returns the messages of one turn, without system messages. The telemetry of a turn repeats earlier turns, so only messages from the last
 * query on belong to the turn. If messages were not recorded, the run's query and answer are returned.
 */
function messagesOfTurn(run: AgentRun): readonly Message[] {
  const messages = run.messages.filter((message) => message.role !== "system");
  const asked = messages.findLastIndex((message) => message.role === "user");
  const turn = asked < 0 ? [...messageOf("user", run.query), ...messages] : messages.slice(asked);
  const { answer } = run;
  const hasAnswer =
    answer === null ||
    answer === "" ||
    turn.some(({ role, text }) => role === "assistant" && text?.includes(answer));
  return hasAnswer ? turn : [...turn, ...messageOf("assistant", answer)];
}

function messageOf(role: "user" | "assistant", text: string | null): readonly Message[] {
  return text === null ? [] : [{ role, name: null, text, calls: [], results: [] }];
}

function usageOf(runs: readonly AgentRun[]): Usage {
  return {
    input: sum(runs, (run) => run.usage.input),
    output: sum(runs, (run) => run.usage.output),
    cached: sum(runs, (run) => run.usage.cached),
    cacheWrite: sum(runs, (run) => run.usage.cacheWrite),
    reasoning: sum(runs, (run) => run.usage.reasoning),
  };
}

/** Returns the sum of a value over all runs; null if the value is unknown for a run. */
function sum(runs: readonly AgentRun[], of: (run: AgentRun) => number | null): number | null {
  let total = 0;
  for (const run of runs) {
    const value = of(run);
    if (value === null) return null;
    total += value;
  }
  return total;
}

function allKnown(runs: readonly AgentRun[], of: (run: AgentRun) => AgentRun["status"]): AgentRun["status"] {
  return runs.every((run) => of(run) !== null) ? "ok" : null;
}

function offered(runs: readonly AgentRun[]): readonly string[] | null {
  const lists = runs.flatMap(({ handoffsAvailable: list }) => (list === null ? [] : [list]));
  return lists.length === 0 ? null : distinct(lists.flat());
}

const isCount = /^tracejury\.(?:changes|tokens)\./;

/** Returns the attributes of all turns. Counts are added up; for any other attribute, the earliest value is used. */
function attributesOf(runs: readonly AgentRun[]): ReadonlyMap<string, JsonValue> {
  const attributes = new Map<string, JsonValue>();
  for (const run of runs) {
    for (const [name, value] of run.attributes) {
      const before = attributes.get(name);
      const counted = isCount.test(name) && typeof value === "number";
      if (before === undefined) attributes.set(name, value);
      else if (counted && typeof before === "number") attributes.set(name, before + value);
    }
  }
  return attributes;
}

/** Values that the combined run has from its first turn only. */
const ofFirstTurn: ReadonlySet<string> = new Set(["agent", "query"]);

function missingOf(runs: readonly AgentRun[], cut: Cut | undefined): readonly Missing[] {
  const missing = new Map<string, Missing>();
  for (const [turn, run] of runs.entries())
    for (const one of run.missing) {
      if (turn > 0 && ofFirstTurn.has(one.what)) continue;
      if (turn < runs.length - 1 && one.what === "answer") continue;
      if (!missing.has(one.what)) missing.set(one.what, one);
    }
  if (cut !== undefined) missing.set("turns", { what: "turns", why: cut.why });
  return [...missing.values()];
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
