import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult, LayerResult, Unjudged, Verdict } from "../../model/verdict.ts";
import type { Redactor } from "./redactor.ts";

/** How each field of a run is redacted. TypeScript reports an error if the list has no entry for a field of `AgentRun`. */
const fields = {
  runId: "keep",
  traceId: "keep",
  traceIds: "keep",
  rootSpanId: "keep",
  service: "redact",
  agent: "redact",
  isNamedByService: "keep",
  finalAgent: "redact",
  conversationId: "redact",
  query: "redact",
  answer: "redact",
  answerBegin: "redact",
  status: "keep",
  error: "redact",
  tools: "redact",
  handoffs: "redact",
  handoffsAvailable: "redact",
  retrievals: "redact",
  guardrails: "redact",
  llmCalls: "keep",
  llm: "redact",
  usage: "keep",
  totalTokens: "keep",
  models: "redact",
  responseModels: "redact",
  costUsd: "keep",
  priceSource: "keep",
  startUnixMs: "keep",
  durationMs: "keep",
  attributes: "redact",
  dialects: "keep",
  complete: "keep",
  closeReason: "keep",
  missing: "redact",
  messages: "redact",
  systemInstructions: "redact",
  toolDefinitions: "redact",
  rootEndUnixNano: "keep",
  rootTraceFlags: "keep",
  source: "keep",
  sources: "keep",
  stepOrder: "keep",
  turns: "turns",
  fault: "redact",
  playback: "redact",
  replaces: "keep",
} as const satisfies Record<keyof AgentRun, "keep" | "redact" | "turns">;

/** Fields within a run that are not redacted, because they contain only ids and numbers, and no text from users. */
const untouched: ReadonlySet<string> = new Set([
  "spanId",
  "traceId",
  "kind",
  "startUnixMs",
  "durationMs",
  "usage",
]);
/** Fields whose values come from senders, including the keys of objects in these values. */
const free: ReadonlySet<string> = new Set(["arguments", "result", "value", "schema"]);

/** Returns the run with redacted texts. Each text is redacted when it is first read. */
export function redactRun(run: AgentRun, redactor: Redactor): AgentRun {
  const copy = {};
  for (const [name, what] of Object.entries(fields) as [keyof AgentRun, "keep" | "redact" | "turns"][]) {
    if (!(name in run)) continue;
    let known: unknown;
    let isKnown = false;
    const get = () => {
      if (!isKnown) {
        known =
          what === "keep" ? run[name] : what === "turns" ? turnsOf(run, redactor) : part(run[name], redactor);
        isKnown = true;
      }
      return known;
    };
    Object.defineProperty(copy, name, { enumerable: true, get });
  }
  return copy as AgentRun;
}

export function redactVerdict(verdict: Verdict, run: AgentRun, redactor: Redactor): Verdict {
  const layer = ({ outcome, reason, checks }: LayerResult): LayerResult => ({
    outcome,
    reason: redactor.text(reason),
    checks: checks.map((check) => redactCheck(check, redactor)),
  });
  const { correctness, path, cost } = verdict.layers;
  return {
    ...verdict,
    run,
    layers: { correctness: layer(correctness), path: layer(path), cost: layer(cost) },
  };
}

export function redactUnjudged(unjudged: Unjudged, run: AgentRun, redactor: Redactor): Unjudged {
  return { ...unjudged, run, reason: redactor.text(unjudged.reason) };
}

function redactCheck(check: CheckResult, redactor: Redactor): CheckResult {
  const { judge } = check;
  const text = (value: string | null): string | null => (value === null ? null : redactor.text(value));
  return {
    ...check,
    value: redactor.json(check.value),
    limit: redactor.json(check.limit),
    message: redactor.text(check.message),
    remedy: text(check.remedy),
    judge: judge && {
      ...judge,
      label: text(judge.label),
      rationale: text(judge.rationale),
      votes: judge.votes.map((vote) => ({
        ...vote,
        label: text(vote.label),
        rationale: text(vote.rationale),
        error: text(vote.error),
      })),
    },
  };
}

function turnsOf({ turns }: AgentRun, redactor: Redactor): AgentRun["turns"] {
  return turns?.map((turn) => redactRun(turn, redactor));
}

/**
 * Redacts a part of a run. In values from senders, the keys are redacted, too; elsewhere, property names do not change. Returns the same
 * object if nothing is redacted, which is the usual case.
 */
function part(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((one) => part(one, redactor));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (value instanceof Map) {
    const entries = [...(value as Map<string, JsonValue>)];
    return new Map(
      entries.map(
        ([key, one]) => [key, redactor.hides(key, one) ? "[redacted]" : redactor.json(one)] as const,
      ),
    );
  }
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record);
  const clean = keys.map((key) => field(key, record[key], redactor));
  return keys.some((key, i) => clean[i] !== record[key])
    ? Object.fromEntries(keys.map((key, i) => [key, clean[i]]))
    : value;
}

function field(key: string, value: unknown, redactor: Redactor): unknown {
  if (untouched.has(key) || value === undefined) return value;
  return free.has(key) ? redactor.json(value as JsonValue) : part(value, redactor);
}
