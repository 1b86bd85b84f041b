import { brief } from "../format.ts";
import { type CallEnd, whatCallsLedTo } from "./call-ends.ts";
import type { ModelCallJson, RunJson, SpanJson, StepJson, StepKind } from "../types.ts";

/** A row of the waterfall. */
export interface Row {
  readonly key: string;
  readonly kind: StepKind | "run" | "span";
  /** The step of this row; null for the complete run and for spans that are not steps. */
  readonly step: StepJson | null;
  readonly spanId: string | null;
  readonly name: string;
  /** Input on one line: arguments, tokens or a query. Empty if unknown. */
  readonly detail: string;
  /** Depth in the tree of spans; 0 for steps. */
  readonly depth: number;
  readonly agent: string;
  readonly startUnixMs: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Target agent of a handoff. */
  readonly to: string | null;
}

/**
 * Returns a row for the run, and one for each of its steps, in order. If the run was stored without an order, the steps are sorted by time.
 * A step without a time is sorted by the time of its span. A tool call with neither follows the model call that requested it.
 */
export function stepRows(run: RunJson, spans: readonly SpanJson[]): readonly Row[] {
  const spanOf = new Map(spans.map((span) => [span.span_id, span]));
  const led = whatCallsLedTo(run, spanOf);
  const steps = run.steps.map((step) => rowOf(run, step, spanOf, led));
  if (run.steps.every(({ place }) => place !== undefined))
    return [rootRow(run), ...steps.sort((a, b) => (a.step?.place ?? 0) - (b.step?.place ?? 0))];
  const timed = steps.filter(({ startUnixMs }) => startUnixMs !== null);
  const untimed = steps.filter(({ startUnixMs }) => startUnixMs === null);
  timed.sort((a, b) => (a.startUnixMs ?? 0) - (b.startUnixMs ?? 0));
  const anchors = anchorsOf(run, untimed);
  const behind = (key: string): readonly Row[] => untimed.filter((row) => anchors.get(row.key) === key);
  const anchored = timed.flatMap((row) => [row, ...behind(row.key)]);
  const placed = new Set(anchored);
  return [rootRow(run), ...anchored, ...untimed.filter((row) => !placed.has(row))];
}

/** For steps without a time, returns the key of the model call that each step follows, by the key of the step. */
function anchorsOf(run: RunJson, untimed: readonly Row[]): ReadonlyMap<string, string> {
  const answers = run.messages.filter(({ role }) => role === "assistant");
  // If the number of answers differs from the number of model calls, it is unknown which answer belongs to which call.
  if (answers.length !== run.llm.length) return new Map();
  const asking = new Map(
    answers.flatMap(({ calls }, at) => calls.flatMap(({ id }) => (id === null ? [] : [[id, at] as const]))),
  );
  return new Map(
    untimed.flatMap(({ key, step }) => {
      const callId = step?.kind === "tool" ? run.tools[step.index]?.call_id : undefined;
      const at = callId == null ? undefined : asking.get(callId);
      return at === undefined ? [] : [[key, `model-${at}`] as const];
    }),
  );
}

function rootRow(run: RunJson): Row {
  return {
    key: "run",
    kind: "run",
    step: null,
    spanId: run.root_span_id,
    name: run.agent ?? "run",
    detail: "the whole run",
    depth: 0,
    agent: run.agent ?? "agent",
    startUnixMs: run.start_unix_ms,
    durationMs: run.duration_ms,
    error: run.status === "error" ? "the run ended with an error" : null,
    tokens: run.total_tokens,
    costUsd: run.cost_usd,
    to: null,
  };
}

function rowOf(
  run: RunJson,
  step: StepJson,
  spanOf: ReadonlyMap<string, SpanJson>,
  led: ReadonlyMap<StepJson, CallEnd>,
): Row {
  const span = step.span_id === null ? undefined : spanOf.get(step.span_id);
  const row = {
    key: `${step.kind}-${step.index}`,
    kind: step.kind,
    step,
    spanId: step.span_id,
    detail: "",
    depth: 0,
    agent: run.agent ?? "agent",
    startUnixMs: step.start_unix_ms ?? span?.start_unix_ms ?? null,
    durationMs: span?.duration_ms ?? null,
    error: null,
    tokens: null,
    costUsd: null,
    to: null,
  };
  switch (step.kind) {
    case "model": {
      const call = run.llm[step.index];
      if (call === undefined) return { ...row, name: "model" };
      const { input_tokens: input, output_tokens: output } = call;
      return {
        ...row,
        name: call.model ?? "model",
        detail: modelDetail(call, led.get(step) ?? null),
        agent: call.agent ?? row.agent,
        durationMs: call.duration_ms ?? row.durationMs,
        error: call.error,
        tokens: input === null && output === null ? null : (input ?? 0) + (output ?? 0),
        costUsd: call.cost_usd,
      };
    }
    case "tool": {
      const call = run.tools[step.index];
      return {
        ...row,
        name: call?.name ?? "tool",
        detail: call == null || call.arguments === null ? "" : brief(call.arguments, 200),
        agent: call?.agent ?? row.agent,
        durationMs: call?.duration_ms ?? row.durationMs,
        error: call?.error ?? null,
      };
    }
    case "handoff": {
      const handoff = run.handoffs[step.index];
      const from = handoff?.from ?? row.agent;
      return { ...row, name: `${from} → ${handoff?.to ?? "?"}`, agent: from, to: handoff?.to ?? null };
    }
    case "retrieval": {
      const retrieval = run.retrievals[step.index];
      const found = `${retrieval?.documents.length ?? 0} documents`;
      return {
        ...row,
        name: found,
        detail: retrieval?.query == null ? "" : `for ${brief(retrieval.query, 200)}`,
      };
    }
    case "guardrail":
      return { ...row, name: run.guardrails[step.index]?.name ?? "guardrail" };
  }
}

/** Returns a text such as `asks for tools · 180 in, 17 out`. */
function modelDetail(
  { input_tokens: input, output_tokens: output, finish_reason: finish }: ModelCallJson,
  follows: CallEnd | null,
): string {
  const counts = [input === null ? "" : `${input} in`, output === null ? "" : `${output} out`];
  const usual = finish === null ? "" : (finishWords[finish.toLowerCase()] ?? finish);
  // Uses the known end of the call instead of a finish reason "stop", which some producers report even for calls that request tools.
  const isEnd = usual === "answers";
  const words = { tool: "asks for tools", handoff: "hands over", answer: usual };
  const text =
    follows !== null && (isEnd || finish === null) ? words[follows] : isEnd ? (finish ?? "") : usual;
  return [text, counts.filter((one) => one !== "").join(", ")].filter((one) => one !== "").join(" · ");
}

const finishWords: Readonly<Record<string, string>> = {
  tool_calls: "asks for tools",
  tool_call: "asks for tools",
  tool_use: "asks for tools",
  stop: "answers",
  end_turn: "answers",
  length: "cut off at its token limit",
};

/** Returns a row for each span, in the order of a tree: parents before children. A span that is a step of the run is shown as this step. */
export function spanRows(run: RunJson, spans: readonly SpanJson[]): readonly Row[] {
  const steps = new Map(stepRows(run, spans).map((row) => [row.spanId, row]));
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const children = new Map<string, SpanJson[]>();
  for (const span of spans) {
    const parent = span.parent_span_id !== null && ids.has(span.parent_span_id) ? span.parent_span_id : "";
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  const rows: Row[] = [];
  const waiting = (children.get("") ?? []).map((span) => ({ span, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, depth } = next;
    rows.push(spanRow(span, depth, steps.get(span.span_id)));
    const below = children.get(span.span_id) ?? [];
    for (const child of [...below].reverse()) waiting.push({ span: child, depth: depth + 1 });
  }
  return rows;
}

function spanRow(span: SpanJson, depth: number, step: Row | undefined): Row {
  return {
    key: `span-${span.span_id}`,
    kind: step?.kind ?? "span",
    step: step?.step ?? null,
    spanId: span.span_id,
    name: span.name,
    detail: step?.detail ?? "",
    depth,
    agent: step?.agent ?? "",
    startUnixMs: span.start_unix_ms,
    durationMs: span.duration_ms,
    error: step?.error ?? (span.status_message === "" ? null : span.status_message),
    tokens: step?.tokens ?? null,
    costUsd: step?.costUsd ?? null,
    to: null,
  };
}

/** Returns the names of the agents in the order in which they first appear. Each agent has a lane. */
export function lanesOf(rows: readonly Row[]): readonly string[] {
  const lanes = new Set<string>();
  for (const { agent, to } of rows) {
    if (agent !== "") lanes.add(agent);
    if (to !== null) lanes.add(to);
  }
  return [...lanes];
}

export interface Span {
  readonly startUnixMs: number;
  readonly durationMs: number;
}

/** Returns the period from the earliest start to the latest end of all rows. */
export function extent(rows: readonly Row[]): Span {
  let start = Infinity;
  let end = -Infinity;
  for (const { startUnixMs, durationMs } of rows) {
    if (startUnixMs === null) continue;
    start = Math.min(start, startUnixMs);
    end = Math.max(end, startUnixMs + (durationMs ?? 0));
  }
  return start > end
    ? { startUnixMs: 0, durationMs: 1 }
    : { startUnixMs: start, durationMs: Math.max(1, end - start) };
}
