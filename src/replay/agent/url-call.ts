import { randomBytes } from "node:crypto";
import { directFetch } from "../../support/http/send-request.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { queryIdAttribute } from "../../match/matcher.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { AgentRun } from "../../model/run.ts";
import { type AgentCall, type CallPlan, textOfPlan } from "./call.ts";
import type { CallReceiver } from "./call-receiver.ts";
import { requestBody } from "./process/command-line.ts";
import type { CallModels } from "./process/exec-call.ts";
import { withQueryId } from "./known-query.ts";
import { keyValues } from "../../model/telemetry/any-value.ts";
import { askingScope } from "../../model/telemetry/own-scope.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";

const ERROR = 2;

/** Default body of `--url`. */
export const defaultBody = '{"query": {query}}';

/**
 * Default body for a turn of a conversation. The body contains both the session id and the history: an agent can store the history itself
 * under the session id, or read the history from the body.
 */
const defaultTurnBody = '{"query": {query}, "session_id": {session}, "history": {history}}';

export interface UrlOptions {
  readonly url: string;
  /** JSON with placeholders. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /**
   * Receives the telemetry of all calls. One receiver for all calls, because the agent already runs and cannot change its telemetry
   * endpoint.
   */
  readonly receiver: CallReceiver;
  /** Reads the runs in these files. */
  readonly readRuns: (files: readonly string[]) => Promise<readonly AgentRun[]>;
  /** Ids of runs that were assigned to a call by the text of their query. All calls share this set. */
  readonly claimed: Set<string>;
  /** Model server for the agent's model calls. If absent, the agent calls its providers directly. */
  readonly models?: CallModels | undefined;
}

/** A query that was sent to a running agent, and the trace id that the agent should use. */
export interface UrlCall {
  readonly call: AgentCall;
  readonly traceId: string;
}

const LONGEST_ANSWER = 1 << 20;
/**
 * Milliseconds to wait for the agent's telemetry after its answer, before recorded model calls replace the telemetry. SDKs export every
 * five seconds.
 */
const SILENCE_MS = 6_000;
const send = directFetch();

/**
 * Sends one query to a running agent with `traceparent` and baggage, and waits until the run with this trace id is complete. If the agent
 * does not use the trace id, its run is found by the query's text.
 */
export async function urlCall(plan: CallPlan, options: UrlOptions): Promise<UrlCall> {
  const { receiver, timeoutMs, url } = options;
  const start = performance.now();
  const startUnixMs = Date.now();
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  const before = new Set(receiver.kept);
  const over = AbortSignal.timeout(timeoutMs);
  const answer = await ask(plan, `00-${traceId}-${spanId}-01`, over, options);
  const endUnixMs = startUnixMs + performance.now() - start;
  const error = answer.ok ? null : answer.reason;
  receiver.keepOwn(askingSpan({ traceId, spanId, url, startUnixMs, endUnixMs, error }));
  // Telemetry that arrived before the query is ignored.
  const come = (): readonly string[] => receiver.kept.filter((file) => !before.has(file));
  const runs = answer.ok ? await runsOf({ plan, traceId, come, over }, options) : [];
  const { requests, spans } = receiver.received;
  const call = {
    plan,
    exitCode: null,
    signal: null,
    durationMs: performance.now() - start,
    requests,
    spans,
    runs,
    ...conclusion(answer, runs, options),
  };
  return { call, traceId };
}

function conclusion(
  answer: Answer,
  runs: readonly AgentRun[],
  { receiver, timeoutMs }: UrlOptions,
): Pick<AgentCall, "outcome" | "reason" | "hint"> {
  if (!answer.ok)
    return { outcome: answer.timedOut ? "timed_out" : "failed", reason: answer.reason, hint: "" };
  if (runs.length > 0) return { outcome: "ok", reason: "", hint: "" };
  return {
    outcome: "silent",
    reason: `the agent answered, but no run of this query arrived within ${timeoutMs / 1000} s`,
    hint: `the agent has to send its telemetry to ${receiver.endpoint}: start it with OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.endpoint}`,
  };
}

type Answer =
  { readonly ok: true } | { readonly ok: false; readonly timedOut: boolean; readonly reason: string };

async function ask(
  plan: CallPlan,
  traceparent: string,
  signal: AbortSignal,
  options: UrlOptions,
): Promise<Answer> {
  try {
    const response = await send(options.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...options.headers,
        traceparent,
        baggage: [
          `${queryIdAttribute}=${encodeURIComponent(plan.query.id)}`,
          ...(plan.turn === undefined ? [] : [`session.id=${plan.turn.session}`]),
        ].join(","),
      },
      body: requestBody(bodyFor(plan, options.body), plan),
      signal,
    });
    await drained(response);
    if (response.ok) return { ok: true };
    return { ok: false, timedOut: false, reason: `the agent answered with HTTP ${response.status}` };
  } catch (error) {
    if (signal.aborted) {
      return { ok: false, timedOut: true, reason: `no answer after ${options.timeoutMs / 1000} s` };
    }
    return { ok: false, timedOut: false, reason: `the agent could not be called: ${messageOf(error)}` };
  }
}

function bodyFor({ turn }: CallPlan, body: string): string {
  return turn !== undefined && body === defaultBody ? defaultTurnBody : body;
}

/** Reads a response to its end, but at most `LONGEST_ANSWER` bytes, and ignores the content. */
async function drained(response: Response): Promise<void> {
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += (piece as Uint8Array).length;
    if (length > LONGEST_ANSWER) break;
  }
}

interface AnsweredCall {
  readonly plan: CallPlan;
  readonly traceId: string;
  /** Returns the files that arrived after the query was sent. */
  readonly come: () => readonly string[];
  /** Aborted when the time is over. */
  readonly over: AbortSignal;
}

/**
 * Returns the runs in the call's trace once all are complete. If the trace has no run, returns a complete run of another trace that has the
 * same query text and is not assigned to another call. After the time-out, returns the runs of the trace that have arrived. If the agent
 * has no instrumentation, recorded model calls replace its telemetry.
 */
async function runsOf(
  { plan, traceId, come, over }: AnsweredCall,
  options: UrlOptions,
): Promise<readonly AgentRun[]> {
  const aborted = new Promise<void>((resolve) => {
    over.addEventListener("abort", () => resolve(), { once: true });
  });
  const { models, receiver } = options;
  // If an earlier call brought no telemetry either, the agent has no instrumentation, and waiting is useless.
  const hasBeenMute = options.claimed.size > 0 && receiver.sent.length === 0;
  const silence = models === undefined ? null : silenceOf(models, hasBeenMute ? 0 : SILENCE_MS);
  const text = normaliseText(textOfPlan(plan));
  try {
    for (;;) {
      const next = options.receiver.next();
      const all = await options.readRuns(come());
      const own = all.filter(({ traceIds }) => traceIds.includes(traceId));
      if ((own.length > 0 && own.every(({ complete }) => complete)) || over.aborted) return own;
      const alike = all.find(
        ({ runId, complete, query }) =>
          complete && query !== null && normaliseText(query) === text && !options.claimed.has(runId),
      );
      if (own.length === 0 && alike !== undefined) {
        options.claimed.add(alike.runId);
        return [alike];
      }
      await Promise.race([next, aborted, ...(silence === null ? [] : [silence.broken()])]);
    }
  } finally {
    silence?.stop();
  }
}

interface Silence {
  /** Resolves once, when recorded model calls have replaced missing telemetry. */
  readonly broken: () => Promise<void>;
  readonly stop: () => void;
}

function silenceOf({ keep }: CallModels, waitMs: number): Silence {
  const never = new Promise<void>(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  let waiting = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => void keep(false).then(resolve, reject), waitMs);
  });
  // If the run arrives first, the promise is never awaited. Its rejection must not end the process.
  waiting.catch(() => undefined);
  return {
    broken: async () => {
      await waiting;
      waiting = never;
    },
    stop: () => clearTimeout(timer),
  };
}

/** Adds query ids to the runs: a run without a query id gets the query id of the call that was sent with the run's trace id. */
export function runsOfUrlCalls(calls: readonly UrlCall[], runs: readonly AgentRun[]): readonly AgentRun[] {
  const queryOf = new Map(calls.map(({ call, traceId }) => [traceId, call.plan.query.id]));
  return runs.map((run) => {
    const id = run.traceIds.map((traceId) => queryOf.get(traceId)).find((one) => one !== undefined);
    return id === undefined || run.attributes.has(queryIdAttribute) ? run : withQueryId(run, id);
  });
}

/** A question that was sent to an agent over HTTP. Times are in Unix milliseconds. */
interface AgentRequest {
  readonly traceId: string;
  /** Span id that the agent received as the parent of its spans. */
  readonly spanId: string;
  readonly url: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Why the agent did not answer; null if the agent answered. */
  readonly error: string | null;
}

/**
 * Returns the span of the HTTP request to an agent, as an OTLP/JSON request. The span is the parent of the agent's root span. Without it,
 * the parent would be missing, and the run would be incomplete. Credentials and parameters of the URL are removed.
 */
function askingSpan({ traceId, spanId, url, startUnixMs, endUnixMs, error }: AgentRequest): string {
  const { protocol, hostname, pathname } = new URL(url);
  const attributes = {
    "http.request.method": "POST",
    "server.address": hostname,
    "url.scheme": protocol.slice(0, -1),
    "url.path": pathname,
  };
  const span = {
    traceId,
    spanId,
    name: "POST",
    kind: SpanKind.client,
    startTimeUnixNano: nanoseconds(startUnixMs),
    endTimeUnixNano: nanoseconds(endUnixMs),
    attributes: keyValues(Object.entries(attributes)),
    status: error === null ? {} : { code: ERROR, message: error },
  };
  const scope = { name: askingScope };
  const resource = { attributes: keyValues([["service.name", "tracejury"]]) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] });
}

function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
