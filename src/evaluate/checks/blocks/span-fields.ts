import { isArray, isObject, type JsonValue, parseJsonText } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Preset } from "../../metrics/match-mode.ts";
import { nameTest } from "../../rules/tool-names.ts";

export type StepKind = "agent" | "model" | "tool" | "retrieval" | "handoff" | "guardrail";

/** One step of a run: an agent, a model call, a tool call, a retrieval, a hand-off or a guardrail. */
export interface Step {
  readonly kind: StepKind;
  readonly name: string | null;
  readonly spanId: string | null;
  /**
   * Values of the step by name. An assertion's `field` selects a value by dotted path. Undefined if the telemetry does not contain the
   * value.
   */
  readonly fields: Readonly<Record<string, JsonValue | undefined>>;
}

/** Kinds of steps by AgentCI's name. */
const agentci: Readonly<Record<string, StepKind>> = {
  TOOL: "tool",
  NODE: "agent",
  HANDOFF: "handoff",
  GUARDRAIL: "guardrail",
  LLM: "model",
};

export function stepKind(written: string): StepKind {
  return agentci[written] ?? (written as StepKind);
}

/** Returns the steps of a kind, in order; all steps if `kind` is undefined. */
function stepsOf(run: AgentRun, kind: StepKind | undefined): readonly Step[] {
  const wanted = (of: StepKind, make: () => readonly Step[]): readonly Step[] =>
    kind === undefined || kind === of ? make() : [];
  return [
    ...wanted("agent", () => agentSteps(run)),
    ...wanted("model", () => modelSteps(run)),
    ...wanted("tool", () => toolSteps(run)),
    ...wanted("retrieval", () => retrievalSteps(run)),
    ...wanted("handoff", () =>
      run.handoffs.map(({ spanId, from, to, kind: how, tool = null }) => ({
        kind: "handoff",
        name: to,
        spanId,
        fields: { from, to, kind: how, tool },
      })),
    ),
    ...wanted("guardrail", () =>
      run.guardrails.map(({ spanId, name, triggered }) => ({
        kind: "guardrail",
        name,
        spanId,
        fields: { name, triggered: triggered ?? undefined },
      })),
    ),
  ];
}

/** Returns a function that finds a run's steps with the assertion's kind and name. */
export function assertedSteps(
  { kind, name }: { readonly kind?: string | undefined; readonly name?: string | undefined },
  preset: Preset | undefined,
): (run: AgentRun) => readonly Step[] {
  const wanted = kind === undefined ? undefined : stepKind(kind);
  if (name === undefined) return (run) => stepsOf(run, wanted);
  const isNamed = nameTest(name, preset);
  return (run) => stepsOf(run, wanted).filter((step) => isNamed(step.name));
}

/** Returns one step for each agent that took part in the run. */
function agentSteps(run: AgentRun): readonly Step[] {
  const names = [run.agent, ...run.llm.map((call) => call.agent), ...run.tools.map((call) => call.agent)];
  return [...new Set([...names, run.finalAgent])].flatMap((name) =>
    name === null ? [] : [{ kind: "agent", name, spanId: null, fields: { name } } satisfies Step],
  );
}

function modelSteps(run: AgentRun): readonly Step[] {
  return run.llm.map((call) => ({
    kind: "model",
    name: call.model,
    spanId: call.spanId,
    fields: {
      model: call.model ?? undefined,
      response_model: call.responseModel ?? undefined,
      finish_reason: call.finishReason ?? undefined,
      agent: call.agent ?? undefined,
      error: call.error,
      input_tokens: call.usage.input ?? undefined,
      output_tokens: call.usage.output ?? undefined,
      cost_usd: call.costUsd ?? undefined,
      duration_ms: call.durationMs ?? undefined,
    },
  }));
}

function toolSteps(run: AgentRun): readonly Step[] {
  return run.tools
    .filter((call) => call.executed !== false)
    .map((call) => ({
      kind: "tool",
      name: call.name,
      spanId: call.spanId,
      fields: {
        name: call.name ?? undefined,
        arguments: call.arguments,
        // A failed call usually has no result: null instead of undefined means that nothing is missing.
        result: call.result ?? (call.error === null ? undefined : null),
        error: call.error,
        agent: call.agent ?? undefined,
        duration_ms: call.durationMs ?? undefined,
      },
    }));
}

function retrievalSteps(run: AgentRun): readonly Step[] {
  return run.retrievals.map(({ spanId, query, documents }) => ({
    kind: "retrieval",
    name: null,
    spanId,
    fields: {
      query: query ?? undefined,
      documents: documents.map(({ id, content, score }) => ({ id, content, score })),
    },
  }));
}

/**
 * Parses a text as JSON, because tool results are often JSON texts. Returns a value that is not a text unchanged. Returns null if the text
 * is not JSON, undefined if the text exceeds the parser's limits.
 */
export function valueInText(value: JsonValue): JsonValue | undefined {
  if (typeof value !== "string") return value;
  const parsed = parseJsonText(value);
  if (parsed.problem === undefined) return parsed.value;
  return parsed.problem === "syntax" ? null : undefined;
}

/**
 * Returns the value at a dotted path, such as `arguments.city`. Undefined if the field was not captured; null if the step does not have the
 * field.
 */
export function fieldAt({ fields }: Step, path: string): JsonValue | undefined {
  const [first = "", ...rest] = path.split(".");
  let value = Object.hasOwn(fields, first) ? fields[first] : null;
  for (const part of rest) {
    if (value === undefined || value === null) return value;
    value = below(value, part);
  }
  return value;
}

function below(value: JsonValue, part: string): JsonValue | undefined {
  const opened = valueInText(value);
  if (opened === undefined) return undefined;
  if (isArray(opened)) return /^\d+$/.test(part) ? (opened[Number(part)] ?? null) : null;
  return isObject(opened) && Object.hasOwn(opened, part) ? (opened[part] ?? null) : null;
}

/** Returns all fields of a step as one text, for assertions without a `field`. */
export function wholeText({ name, fields }: Step): string {
  return [name ?? "", ...Object.values(fields).map(textOf)].join("\n");
}

export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
