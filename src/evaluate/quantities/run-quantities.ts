import type { AgentRun, Missing, ModelCall, TellsMissingValues, ToolCall } from "../../model/run.ts";
import { adjacentRepeats, sameArgumentLoops } from "../metrics/loops.ts";
import { visibleName } from "../rules/fold-name.ts";
import type { RunMetrics } from "./run-metrics.ts";

/** Maximum plausible number of tokens of a run. A higher number is an error of the instrumentation. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;
/** Maximum plausible duration in milliseconds: a hundred years. */
const MOST_MS = 3.2e12;

/** Values of a run. Tool calls, names and errors are read at construction; the other values are computed when they are read. */
export class RunQuantities implements RunMetrics {
  readonly run: AgentRun;
  readonly used: readonly ToolCall[];
  readonly toolNames: readonly (string | null)[];
  readonly toolsMissing: "tools" | "tool_names" | undefined;
  readonly toolErrors: number;
  #foldedAnswer: string | null | undefined;
  #loops: number | undefined;
  #sameArgumentLoops: number | undefined;
  #totalTokens: number | null | undefined;
  #costUsd: number | null | undefined;
  #knownTokens: number | undefined;
  #knownCostUsd: number | undefined;
  #computed: Map<symbol, unknown> | undefined;

  constructor(run: AgentRun) {
    this.run = run;
    const called = usedOf(run.tools);
    const used = called.some(hasHiddenCharacters) ? called.map(withVisibleName) : called;
    const names = used.map(nameOf);
    let unnamed = false;
    let errors = 0;
    for (let at = 0; at < used.length; at++) {
      const { name, error } = used[at] as ToolCall;
      if (name === null) unnamed = true;
      if (error !== null) errors++;
    }
    this.used = used;
    this.toolNames = names;
    this.toolErrors = errors;
    this.toolsMissing = this.lacks("tools") ? "tools" : unnamed ? "tool_names" : undefined;
  }

  get knownNames(): readonly string[] | null {
    return this.toolsMissing === undefined ? (this.toolNames as readonly string[]) : null;
  }

  get foldedAnswer(): string | null {
    if (this.#foldedAnswer === undefined) this.#foldedAnswer = this.run.answer?.toLowerCase() ?? null;
    return this.#foldedAnswer;
  }

  get loops(): number {
    return (this.#loops ??= adjacentRepeats(this.toolNames));
  }

  get sameArgumentLoops(): number {
    return (this.#sameArgumentLoops ??= sameArgumentLoops(this.used));
  }

  get totalTokens(): number | null {
    if (this.#totalTokens === undefined) this.#totalTokens = plausibleTokensOfRun(this.run);
    return this.#totalTokens;
  }

  get costUsd(): number | null {
    if (this.#costUsd === undefined) this.#costUsd = plausibleCostOfRun(this.run);
    return this.#costUsd;
  }

  get durationMs(): number | null {
    return this.lacks("duration") ? null : plausibleDuration(this.run.durationMs);
  }

  get knownTokens(): number {
    return (this.#knownTokens ??= this.totalTokens ?? knownTokens(this.run));
  }

  get knownCostUsd(): number {
    return (this.#knownCostUsd ??= this.costUsd ?? sum(this.run, (call) => plausibleCost(call.costUsd)));
  }

  get knownModelCalls(): number {
    return this.run.llmCalls ?? sum(this.run, completionsOf);
  }

  once<Value>(what: symbol, compute: () => Value): Value {
    const computed = (this.#computed ??= new Map());
    if (!computed.has(what)) computed.set(what, compute());
    return computed.get(what) as Value;
  }

  lacks(what: string): boolean {
    const missing = missingValuesOf(this.run);
    for (let at = 0; at < missing.length; at++) if (missing[at]?.what === what) return true;
    // A model requests a hand-off as a tool, so telemetry that may lack tool requests may also lack hand-offs.
    return what === "handoffs" && this.lacks("tools");
  }
}

function usedOf(tools: readonly ToolCall[]): readonly ToolCall[] {
  for (let at = 0; at < tools.length; at++) if (tools[at]?.executed === false) return tools.filter(wasUsed);
  return tools;
}

function nameOf(call: ToolCall): string | null {
  return call.name;
}

/** Returns the call with its tool name stripped of invisible characters, for comparisons and messages. */
function withVisibleName(call: ToolCall): ToolCall {
  const { name } = call;
  const shown = name === null ? null : visibleName(name);
  return shown === name ? call : { ...call, name: shown };
}

function hasHiddenCharacters({ name }: ToolCall): boolean {
  return name !== null && visibleName(name) !== name;
}

function wasUsed(call: ToolCall): boolean {
  return call.executed !== false;
}

function knownTokens(run: AgentRun): number {
  return sum(run, knownTokensOfCall);
}

/** Returns the known part of a call's input and output tokens. */
export function knownTokensOfCall({ usage }: ModelCall): number {
  return (plausibleTokens(usage.input) ?? 0) + (plausibleTokens(usage.output) ?? 0);
}

function sum(run: AgentRun, of: (call: AgentRun["llm"][number]) => number | null): number {
  return run.llm.reduce((total, call) => total + (of(call) ?? 0), 0);
}

function missingValuesOf(run: AgentRun & Partial<TellsMissingValues>): readonly Missing[] {
  return run.missingValues ?? run.missing;
}

/** Returns the number of tokens; null if it is implausible (negative, not finite or above the maximum). */
export function plausibleTokens(tokens: number | null): number | null {
  return within(tokens, MOST_TOKENS);
}

export function plausibleCost(costUsd: number | null): number | null {
  return within(costUsd, MOST_USD);
}

export function plausibleDuration(durationMs: number | null): number | null {
  return within(durationMs, MOST_MS);
}

function within(value: number | null, most: number): number | null {
  return value !== null && value >= 0 && value <= most ? value : null;
}

/** Returns the sum of a call's input and output tokens; null if a number is unknown or implausible. */
export function tokensOfCall({ usage }: ModelCall): number | null {
  const [input, output] = [plausibleTokens(usage.input), plausibleTokens(usage.output)];
  return input === null || output === null ? null : input + output;
}

/**
 * Returns the number of completed model calls for which a call of the run stands; null if it may be only a part of a model call. A failed
 * call counts only if it reports its tokens.
 */
export function completionsOf(call: ModelCall): number | null {
  if (call.completions !== undefined) return call.completions;
  return call.error === null || (tokensOfCall(call) ?? 0) > 0 ? 1 : 0;
}

/** Whether the run or one of its calls has an implausible number of tokens. */
export function hasOddTokens(run: AgentRun): boolean {
  return isOdd(run.usage) || run.llm.some(({ usage }) => isOdd(usage));
}

function isOdd({ input, output }: AgentRun["usage"]): boolean {
  return [input, output].some((tokens) => tokens !== null && plausibleTokens(tokens) === null);
}

/** Returns the number of tokens of the run; null if it is unknown, or contains an implausible number. */
function plausibleTokensOfRun(run: AgentRun): number | null {
  return hasOddTokens(run) ? null : plausibleTokens(run.totalTokens);
}

/** Returns the cost of the run in US dollars; null if it is unknown, or contains an implausible cost. */
function plausibleCostOfRun(run: AgentRun): number | null {
  const hasOddCost = run.llm.some(({ costUsd }) => costUsd !== null && plausibleCost(costUsd) === null);
  return hasOddCost ? null : plausibleCost(run.costUsd);
}
