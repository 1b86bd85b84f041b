import { isArray, isObject, type JsonValue, parseJsonText, textOrJson } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Preset } from "../../metrics/match-mode.ts";
import { stepKinds } from "../../query/blocks.ts";
import { foldName } from "../../rules/fold-name.ts";
import { nameTest } from "../../rules/tool-names.ts";

export type StepKind = (typeof stepKinds)[number];

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
  /** Whether the field `agent` is the name of the service, because no span names an agent. */
  readonly isNamedByService?: boolean;
  /** Number of steps for which this one stands. Absent: 1. */
  readonly times?: number;
}

/** Returns the number of steps. One recorded model call can stand for several. */
export function countOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { times = 1 }) => sum + times, 0);
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

/** Names of the fields that a step of each kind can have. */
const fieldNames: Readonly<Record<StepKind, readonly string[]>> = {
  agent: ["name"],
  model: wordsIn(
    "model response_model finish_reason agent error input_tokens output_tokens cost_usd duration_ms",
  ),
  tool: wordsIn("name arguments result error agent duration_ms"),
  retrieval: wordsIn("query documents"),
  handoff: wordsIn("from to kind tool"),
  guardrail: wordsIn("name triggered"),
};

function wordsIn(text: string): readonly string[] {
  return text.split(" ");
}

/**
 * Checks the beginning of the path `field`. Returns undefined if steps of the kind (of any kind, if `kind` is undefined) can have such a
 * field. If not, the path is probably misspelt, and the function returns the fields that the steps can have.
 */
export function otherFields(field: string, kind: string | undefined): readonly string[] | undefined {
  const known = kind === undefined ? Object.values(fieldNames).flat() : fieldNames[stepKind(kind)];
  const [first = ""] = field.split(".");
  return known.includes(first) ? undefined : [...new Set(known)];
}

/** Returns the steps of a kind in the order of the run; if `kind` is undefined, all steps, grouped by kind. */
function stepsOf(run: AgentRun, kind: StepKind | undefined): readonly Step[] {
  return kind === undefined ? stepKinds.flatMap((one) => steps[one](run)) : steps[kind](run);
}

const steps: Readonly<Record<StepKind, (run: AgentRun) => readonly Step[]>> = {
  agent: agentSteps,
  model: modelSteps,
  tool: toolSteps,
  retrieval: retrievalSteps,
  handoff: ({ handoffs }) =>
    handoffs.map(({ spanId, from, to, kind: how, tool = null }) => ({
      kind: "handoff",
      name: to,
      spanId,
      fields: { from, to, kind: how, tool },
    })),
  guardrail: ({ guardrails }) =>
    guardrails.map(({ spanId, name, triggered }) => ({
      kind: "guardrail",
      name,
      spanId,
      fields: { name, triggered: triggered ?? undefined },
    })),
};

/** Returns a function that finds a run's steps with the assertion's kind and name. */
export function assertedSteps(
  { kind, name }: { readonly kind?: string | undefined; readonly name?: string | undefined },
  preset: Preset | undefined,
): (run: AgentRun) => readonly Step[] {
  const wanted = kind === undefined ? undefined : stepKind(kind);
  if (name === undefined) return (run) => stepsOf(run, wanted);
  const isNamed = nameTest(name, preset);
  const folded = foldName(name);
  return (run) =>
    stepsOf(run, wanted).filter(
      (step) => isNamed(step.name) || (isOfAgent(step) && isSame(step.name, folded)),
    );
}

/** Whether the name of a step is the name of an agent. */
function isOfAgent({ kind }: Step): boolean {
  return kind === "agent" || kind === "handoff";
}

function isSame(name: string | null, folded: string): boolean {
  return name !== null && foldName(name) === folded;
}

/** Returns one step for each agent that took part in the run, also for an agent that took over and of which no call was recorded. */
function agentSteps(run: AgentRun): readonly Step[] {
  const names = [run.agent, ...[...run.llm, ...run.tools].map((call) => call.agent), run.finalAgent];
  const recorded = [...new Set(names)].flatMap((name) => name ?? []);
  const folded = new Set(recorded.map(foldName));
  const others = new Set(run.handoffs.flatMap(({ to }) => (folded.has(foldName(to)) ? [] : [to])));
  return [...recorded, ...others].map((name) => ({ kind: "agent", name, spanId: null, fields: { name } }));
}

/** Whether the agent of a call is the name of the service. */
function isStandIn(agent: string | null, { isNamedByService, service }: AgentRun): boolean {
  return isNamedByService === true && agent === service;
}

function modelSteps(run: AgentRun): readonly Step[] {
  return run.llm.map((call) => ({
    kind: "model",
    name: call.model,
    spanId: call.spanId,
    times: Math.max(call.completions ?? 1, 1),
    isNamedByService: isStandIn(call.agent, run),
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
      isNamedByService: isStandIn(call.agent, run),
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
  return run.retrievals.map(({ spanId, query, documents, isPartial }) => ({
    kind: "retrieval",
    name: null,
    spanId,
    fields: {
      query: query ?? undefined,
      documents: isPartial ? undefined : documents.map(({ id, content, score }) => ({ id, content, score })),
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

/** Matches the path of a document's id, content or score. A null at such a path means that it was not captured. */
const ofDocument = /^documents\.\d+\.(?:id|content|score)$/;

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
  return value === null && ofDocument.test(path) ? undefined : value;
}

function below(value: JsonValue, part: string): JsonValue | undefined {
  const opened = valueInText(value);
  if (opened === undefined) return undefined;
  if (isArray(opened)) return /^\d+$/.test(part) ? (opened[Number(part)] ?? null) : null;
  return isObject(opened) && Object.hasOwn(opened, part) ? (opened[part] ?? null) : null;
}

/** Returns all fields of a step as one text, for assertions without a `field`. */
export function wholeText(step: Step): string {
  return wholeOf(step, textOf);
}

function wholeOf({ name, fields }: Step, textOfField: (value: JsonValue | undefined) => string): string {
  const texts = Object.values(fields).map((value) => (value === null ? "" : textOfField(value)));
  return [name ?? "", ...texts].join("\n");
}

export function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "" : textOrJson(value);
}

/**
 * Returns the texts in which a condition such as `contains` searches. The first text is the value as JSON. If it has escapes of JSON
 * (`\u00e9`, `\\`, `\n`), the second text is the value without these escapes. Without a path, the value is the whole step. No text for
 * null, which is usually a value that the step does not have.
 */
export function searchedTexts(step: Step, value: JsonValue, path: string | undefined): readonly string[] {
  if (value === null) return [];
  const written = path === undefined ? wholeText(step) : textOf(value);
  const shown = path === undefined ? wholeOf(step, unescapedJson) : unescapedJson(value);
  return shown === written ? [written] : [written, shown];
}

/** Maximum depth of values in which escapes are removed. A deeper value stays JSON. */
const DEEPEST = 64;

/** Returns a value in the form of JSON with unescaped texts. A text that is JSON of an object or list is shown as this value. */
export function unescapedJson(value: JsonValue | undefined, depth = 0): string {
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? valueInText(value) : undefined;
    return inner === undefined || inner === null ? value : unescapedJson(inner, depth + 1);
  }
  if (value === undefined || depth > DEEPEST) return textOf(value);
  const shown = (inner: JsonValue | undefined): string =>
    typeof inner === "string" ? `"${unescapedJson(inner, depth + 1)}"` : unescapedJson(inner, depth + 1);
  if (isArray(value)) return `[${value.map(shown).join(",")}]`;
  if (!isObject(value)) return textOf(value);
  const entries = Object.entries(value).map(([key, inner]) => `"${key}":${shown(inner)}`);
  return `{${entries.join(",")}}`;
}

/** Fields of a step that can contain a searched text, and that telemetry may lack. */
const searchedFields = ["name", "model", "arguments", "result", "query", "documents"];

/**
 * Whether the telemetry lacks a part of the value, in which a searched text may be. Without a path, the value is the whole step. A document
 * whose content is null has unknown content.
 */
export function isPartlyUnknown({ fields }: Step, value: JsonValue, path: string | undefined): boolean {
  if (path === undefined) {
    return searchedFields.some(
      (name) =>
        Object.hasOwn(fields, name) && (fields[name] === undefined || lacksContent(name, fields[name])),
    );
  }
  return lacksContent(path, value);
}

function lacksContent(path: string, value: JsonValue | undefined): boolean {
  if (!/^documents(?:\.\d+)?$/.test(path)) return false;
  const documents = isArray(value) ? value : [value ?? null];
  return documents.some((document) => isObject(document) && document["content"] === null);
}
