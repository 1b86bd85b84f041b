import {
  failed,
  type JudgeErrorType,
  type JudgeFailed,
  type JudgePort,
  type JudgeReply,
  type JudgeRequest,
  type JudgeUsage,
} from "../../evaluate/judge/ask/port.ts";
import { backoffMs, requestBackoff } from "../../support/structures/backoff.ts";
import { Budget, type Cost } from "./budget.ts";
import { type Clock, steadyTime } from "./clock.ts";
import { ProviderLimiter } from "./provider-limiter.ts";
import { Semaphore } from "./semaphore.ts";
import type { JudgeServiceSettings } from "../settings.ts";

/** One attempt of a judge call, for telemetry. Contains neither prompt nor reply. */
export interface JudgeCall {
  readonly model: string;
  readonly provider: string;
  readonly rubric: string;
  readonly runId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly errorType: JudgeErrorType | null;
  readonly usage: JudgeUsage | null;
  readonly costUsd: number | null;
}

export interface SchedulerOptions {
  readonly limits: Pick<
    JudgeServiceSettings,
    "concurrency" | "requestsPerMinute" | "tokensPerMinute" | "timeoutMs" | "retries" | "budget"
  >;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1, for the jitter between retries. */
  readonly random: () => number;
  readonly providerOf: (model: string) => string;
  /** Returns the price of tokens in US dollars; null if unknown. */
  readonly price: (model: string, usage: JudgeUsage) => number | null;
  readonly observe?: (call: JudgeCall) => void;
}

/**
 * Limits a port: concurrency, requests and tokens per minute, a time-out for each attempt, retries with jitter or the delay that the
 * provider requests, and budgets. A failed call is a `JudgeFailed`; the promise does not reject.
 */
export function scheduled(port: JudgePort, options: SchedulerOptions): JudgePort {
  const state: State = {
    port,
    options,
    slots: new Semaphore(options.limits.concurrency),
    budget: new Budget(options.limits.budget),
    limiters: new Map(),
    limitTime: steadyTime(options.clock),
  };
  return {
    unavailable: (model) => port.unavailable(model),
    ask: (request) => attempts(state, request),
  };
}

interface State {
  readonly port: JudgePort;
  readonly options: SchedulerOptions;
  readonly slots: Semaphore;
  readonly budget: Budget;
  readonly limiters: Map<string, ProviderLimiter>;
  /** Returns the time for limits and budgets in milliseconds (`steadyTime`). */
  readonly limitTime: () => number;
}

/** Maximum delay, in milliseconds, that a provider may request. If the provider requests a longer delay, the call is not retried. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

const cancelled = (): JudgeFailed => failed("cancelled", "the call was cancelled before the judge answered");

async function attempts(state: State, request: JudgeRequest): Promise<JudgeReply> {
  const { limits, clock, random } = state.options;
  for (let attempt = 1; ; attempt++) {
    const reply = await oneAttempt(state, request, attempt);
    if (reply.ok || !reply.retryable) return reply;
    if (attempt > limits.retries) return gaveUp(reply, attempt);
    const waitMs = reply.retryAfterMs ?? backoffMs(attempt, random(), requestBackoff);
    if (waitMs > LONGEST_RETRY_AFTER_MS)
      return gaveUp(
        { ...reply, message: `${reply.message}, and asks to wait ${Math.round(waitMs / 1000)} s` },
        attempt,
      );
    await clock.sleep(waitMs, request.signal);
    if (request.signal?.aborted === true) return cancelled();
  }
}

function gaveUp(reply: JudgeFailed, attempts: number): JudgeFailed {
  const message = attempts > 1 ? `${reply.message} (${attempts} attempts)` : reply.message;
  return { ...reply, message, retryable: false };
}

async function oneAttempt(state: State, request: JudgeRequest, attempt: number): Promise<JudgeReply> {
  const leave = await state.slots.enter(request.signal);
  if (leave === null) return cancelled();
  try {
    const ready = await admitted(state, request);
    return "settle" in ready ? await call(state, request, attempt, ready) : ready;
  } finally {
    leave();
  }
}

/** Permission for a call within rate limits and budget. The estimated cost of the call is already counted in the budget. */
interface Ticket {
  readonly started: number;
  readonly settle: (cost: Cost) => void;
}

/** Waits until rate limits and budget allow the call. */
async function admitted(state: State, request: JudgeRequest): Promise<Ticket | JudgeFailed> {
  const { clock, price, limits } = state.options;
  const limiter = limiterOf(state, request.model);
  const estimate = estimateOf(request, price);
  const hasUsdBudget = limits.budget.run.usd !== null || limits.budget.hour.usd !== null;
  if (hasUsdBudget && price(request.model, SOME_USAGE) === null)
    return failed(
      "budget",
      `no price is known for ${request.model}, so the judges' budget cannot be enforced`,
    );
  for (;;) {
    if (request.signal?.aborted === true) return cancelled();
    const now = state.limitTime();
    const blockedMs = limiter.blockedFor(now);
    if (blockedMs > 0)
      return failed(
        "unreachable",
        `the judge failed several times in a row and is paused for ${Math.ceil(blockedMs / 1000)} s`,
      );
    const waitMs = limiter.waitFor(now, estimate.tokens);
    if (waitMs > 0) {
      await clock.sleep(waitMs, request.signal);
      continue;
    }
    const admission = state.budget.admit(request.runId, estimate, now);
    if (admission.state === "go") {
      const correct = limiter.start(now, estimate.tokens);
      const settle = (cost: Cost): void => {
        correct(cost.tokens);
        admission.settle(cost);
      };
      return { started: clock.now(), settle };
    }
    if (admission.state === "spent") return failed("budget", admission.message);
    await admission.settled;
  }
}

async function call(
  state: State,
  request: JudgeRequest,
  attempt: number,
  { started, settle }: Ticket,
): Promise<JudgeReply> {
  const { clock, price, observe, providerOf } = state.options;
  const reply = await withTimeout(state, request);
  settle(costOf(request, reply, price));
  noteHealth(limiterOf(state, request.model), reply, state.limitTime());
  observe?.({
    model: request.model,
    provider: providerOf(request.model),
    rubric: request.rubric,
    runId: request.runId,
    attempt,
    startUnixMs: started,
    endUnixMs: clock.now(),
    errorType: reply.ok ? null : reply.errorType,
    usage: reply.ok ? reply.usage : null,
    costUsd: reply.ok ? price(request.model, reply.usage) : null,
  });
  return reply;
}

function noteHealth(limiter: ProviderLimiter, reply: JudgeReply, now: number): void {
  if (reply.ok) limiter.succeeded();
  else if (
    reply.errorType === "unreachable" ||
    reply.errorType === "server_error" ||
    reply.errorType === "timeout"
  )
    limiter.failed(now);
  if (!reply.ok && reply.errorType === "rate_limited" && reply.retryAfterMs !== null)
    limiter.pause(now + Math.min(reply.retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

/** Makes one call of the port. A time-out or the caller's signal ends the call, even if the port does not react. */
async function withTimeout({ port, options }: State, request: JudgeRequest): Promise<JudgeReply> {
  const { clock, limits } = options;
  const started = clock.now();
  const ending = new AbortController();
  const finished = new AbortController();
  const cancel = (): void => ending.abort();
  request.signal?.addEventListener("abort", cancel, { once: true });
  const timedOut = clock.sleep(limits.timeoutMs, finished.signal).then((): JudgeReply => {
    if (!finished.signal.aborted) ending.abort();
    const message = `the judge did not answer within ${limits.timeoutMs / 1000} s`;
    return { ...failed("timeout", message, clock.now() - started), retryable: true };
  });
  const stopped = new Promise<JudgeReply>((resolve) => {
    request.signal?.addEventListener("abort", () => resolve(cancelled()), {
      once: true,
      signal: finished.signal,
    });
  });
  try {
    return await Promise.race([stopped, timedOut, port.ask({ ...request, signal: ending.signal })]);
  } finally {
    finished.abort();
    request.signal?.removeEventListener("abort", cancel);
  }
}

function limiterOf({ limiters, options }: State, model: string): ProviderLimiter {
  const name = options.providerOf(model);
  const limiter = limiters.get(name) ?? new ProviderLimiter(options.limits);
  limiters.set(name, limiter);
  return limiter;
}

/** Token numbers whose price `admitted` requests, to find out whether a model has a price. */
const SOME_USAGE: JudgeUsage = { input: 1000, output: 1000, cached: null };
const CHARACTERS_A_TOKEN = 4;

function tokensOfText({ system, user }: JudgeRequest): number {
  return Math.ceil((system.length + user.length) / CHARACTERS_A_TOKEN);
}

/** Estimates tokens and cost of a call: four characters of the request per token, and a reply of maximum length. */
function estimateOf(request: JudgeRequest, price: SchedulerOptions["price"]): Cost {
  const input = tokensOfText(request);
  const usage: JudgeUsage = { input, output: request.maxTokens, cached: null };
  return { tokens: input + request.maxTokens, usd: price(request.model, usage) ?? 0 };
}

/** Returns tokens and cost of a call, from the reported usage or estimated from the text. A failed call costs nothing. */
function costOf(request: JudgeRequest, reply: JudgeReply, price: SchedulerOptions["price"]): Cost {
  if (!reply.ok) return { tokens: 0, usd: 0 };
  const typed = Math.ceil(JSON.stringify(reply.json).length / CHARACTERS_A_TOKEN);
  const input = reply.usage.input ?? tokensOfText(request);
  const output = reply.usage.output ?? typed;
  return { tokens: input + output, usd: price(request.model, { ...reply.usage, input, output }) ?? 0 };
}
