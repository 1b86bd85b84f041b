import { occursWithWholeNumbers } from "../../rules/whole-values.ts";
import type { z } from "zod";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { PatternResult } from "../../../model/patterns/pattern.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { type Check, type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, pass, skip, spanIdsOf, violated } from "../../result/finding.ts";
import { specPattern } from "../../rules/spec-pattern.ts";
import { deepEqual } from "../../metrics/sequences/deep-equal.ts";
import { lacksAgents } from "../path/progress-check.ts";
import { count, listed, textual } from "../../rules/text.ts";
import {
  assertedSteps,
  countOf,
  fieldAt,
  isPartlyUnknown,
  otherFields,
  searchedTexts,
  type Step,
  type StepKind,
  stepKind,
  valueInText,
  wholeText,
} from "./span-fields.ts";
import { jsonValue } from "../../../support/structures/json-schema.ts";

type SpanAssertion = CompiledQuery["spans"][number];

const MOST_SPANS = 32;

/** Maximum number of different causes (`Finding.faults`) in one result. */
const MOST_FAULTS = 256;

/**
 * Check for AgentCI's span assertions: in every step of the given kind and name (with `some`: in one step), the asserted field must meet
 * the condition. At least one step is required, unless `min_count` or `max_count` is set. The check is `incomplete` if the asserted field
 * was not captured and the other steps do not decide.
 */
export const spanAssertion: Check = defineCheck({
  key: "spans",
  layer: "path",
  summary: "Every step of this kind and name (with `some`: one step) meets the assertion.",
  limit: jsonValue as unknown as z.ZodType<SpanAssertion>,
  prepare(assertion, { preset }) {
    const { kind, name, regex } = assertion;
    const stepsIn = assertedSteps(assertion, preset);
    const pattern = regex === undefined ? undefined : specPattern(regex, preset);
    const what = `${kind === undefined ? "step" : stepKind(kind)}${name === undefined ? "" : ` ${name}`}`;
    const condition = conditionOf(assertion);
    const strange = unknownField(assertion, what);
    return (context) => {
      if (strange !== undefined) return strange;
      const steps = stepsIn(context.run);
      const found =
        wrongNumber(context, assertion, countOf(steps), what) ??
        everyStep(context, { assertion, pattern, what, condition }, steps);
      return found.outcome === "pass" && !isEnough(assertion)
        ? (hiddenSteps(context, assertion, countOf(steps), what) ?? found)
        : found;
    };
  },
});

/** Check for the `judge` rubric of a span assertion, which runs in the first judge stage. */
export const judgedSpanAssertion: Check = defineCheck({
  key: "spans",
  layer: "path",
  metric: "spans.judge",
  summary: "Every step of this kind and name passes the rubric.",
  limit: jsonValue as unknown as z.ZodType<SpanAssertion>,
  judged: true,
  evaluate: () => skip("needs a judge"),
});

/** Returns the finding for a `field` that no step of the kind can have, so that no condition on the field can be decided. */
function unknownField({ kind, field }: SpanAssertion, what: string): Finding | undefined {
  const others = field === undefined ? undefined : otherFields(field, kind);
  if (others === undefined) return undefined;
  return {
    outcome: "incomplete",
    value: null,
    message: `${what}: steps of this kind have no field ${field}`,
    missing: ["field"],
    remedy: `Correct \`field\` in the spec. It can begin with: ${others.join(", ")}.`,
  };
}

/** Returns an assertion's condition as text, such as `result contains "Dune"`; undefined if it asserts only the number of steps. */
function conditionOf({ field, equals, includes, contains, not_contains, regex }: SpanAssertion) {
  const parts = [
    ...(equals === undefined ? [] : [`equals ${shownValue(equals)}`]),
    ...(includes === undefined ? [] : [`includes ${shownValue(includes)}`]),
    ...(contains === undefined ? [] : [`contains ${shownValue(contains)}`]),
    ...(not_contains === undefined ? [] : [`does not contain ${shownValue(not_contains)}`]),
    ...(regex === undefined ? [] : [`matches ${textual(regex, LONGEST_VALUE)}`]),
  ];
  return parts.length === 0 ? undefined : `${field ?? "the step"} ${parts.join(" and ")}`;
}

function wrongNumber(
  context: CheckContext,
  assertion: SpanAssertion,
  found: number,
  what: string,
): Finding | undefined {
  const { min_count, max_count } = assertion;
  const least = min_count ?? (max_count === undefined ? 1 : 0);
  const measure = `${what}: ${count(found, "step")} found`;
  if (max_count !== undefined && found > max_count) {
    const bound = `at most ${max_count} allowed`;
    return { ...violated(found, `${measure}, ${bound}`), final: true, faults: [`${what}: ${bound}`] };
  }
  if (found >= least) return undefined;
  const hidden = hiddenSteps(context, assertion, found, what);
  if (hidden !== undefined) return hidden;
  const bound = `at least ${least} expected`;
  return { ...violated(found, `${measure}, ${bound}`), faults: [`${what}: ${bound}`] };
}

/** Whether a pass is certain even if the telemetry lacks steps, because no further step can violate the assertion. */
function isEnough(assertion: SpanAssertion): boolean {
  const { equals, includes, contains, not_contains, regex, some, max_count } = assertion;
  const isAboutEach = [equals, includes, contains, not_contains, regex].some((one) => one !== undefined);
  return max_count === undefined && (some === true || !isAboutEach);
}

/** Returns an `incomplete` finding if the telemetry may lack steps of the assertion's kind, or the names of such steps; otherwise undefined. */
function hiddenSteps(
  context: CheckContext,
  { kind, name }: SpanAssertion,
  found: number,
  what: string,
): Finding | undefined {
  const { metrics, run } = context;
  const kinds = kind === undefined ? stepKinds : [stepKind(kind)];
  const lost = kinds.flatMap((one) => hiding[one] ?? []).find((one) => metrics.lacks(one));
  const agents = kind !== undefined && stepKind(kind) === "agent" && lacksAgents(run) ? "agents" : undefined;
  const unnamed = [
    ...(kinds.includes("tool") && metrics.toolNames.includes(null) ? ["tool_names"] : []),
    ...(kinds.includes("model") && run.llm.some(({ model }) => model === null) ? ["models"] : []),
  ];
  const field = lost ?? agents ?? (name === undefined ? undefined : unnamed[0]);
  if (field === undefined) return undefined;
  const measure = `${what}: ${count(found, "step")} found`;
  return incomplete(field, `${measure}, but the telemetry may lack steps`, run, found);
}

/** Entry of the run's `missing`, by kind of step, that means that steps of this kind may be missing. */
const hiding: Readonly<Partial<Record<StepKind, string>>> = {
  tool: "tools",
  model: "llm_calls",
  retrieval: "retrievals",
  handoff: "handoffs",
};

const stepKinds = Object.keys(hiding) as readonly StepKind[];

interface Asserted {
  readonly assertion: SpanAssertion;
  /** The assertion's `regex` as a compiled pattern; undefined without `regex`. */
  readonly pattern: PatternResult | undefined;
  /** Name of the asserted steps in messages, such as "tool search". */
  readonly what: string;
  /** The asserted condition in messages, such as `result contains "Dune"`; undefined if only the number of steps is asserted. */
  readonly condition: string | undefined;
}

function everyStep(
  context: CheckContext,
  { assertion, pattern, what, condition }: Asserted,
  steps: readonly Step[],
): Finding {
  const wrong: Step[] = [];
  const messages = new Set<string>();
  const faults = new Set<string>();
  let unknown = 0;
  for (const step of steps) {
    const problem = problemOf(step, assertion, pattern);
    if (problem === undefined) continue;
    if (problem === null) unknown++;
    else {
      wrong.push(step);
      messages.add(problem.message);
      // Without `name`, the assertion is about any step, so the step's name is part of the cause.
      const which = assertion.name !== undefined || step.name === null ? what : `${what} ${step.name}`;
      if (faults.size < MOST_FAULTS) faults.add(`${which}: ${problem.fault}`);
    }
  }
  const holding = steps.length - wrong.length - unknown;
  const measure = `${what}: ${holding} of ${count(steps.length, "step")} ${steps.length === 1 ? "meets" : "meet"} the condition`;
  // A violation names the condition in its details. Without details, the condition distinguishes this assertion from others on the steps.
  const named =
    condition === undefined ? `${what}: ${count(steps.length, "step")} found` : `${measure} (${condition})`;
  if (assertion.some === true && holding > 0)
    return pass(holding, holding < steps.length ? `${named}; one is enough` : named);
  if (wrong.length > 0 && !(assertion.some === true && unknown > 0)) {
    return violated(wrong.length, `${measure}: ${listed([...messages])}`, {
      spanIds: spanIdsOf(wrong).slice(0, MOST_SPANS),
      faults: [...faults],
      // With `some`, one matching step is enough. A span that arrives later can be this step, so the violation is not final.
      final: assertion.some !== true,
    });
  }
  if (unknown === 0) return pass(steps.length, named);
  return incomplete(
    unknownContent(assertion),
    `${named}; ${assertion.field ?? "a part"} is unknown in ${count(unknown, "step")}`,
    context.run,
  );
}

/** Returns the entry for `missing` that names the content which the assertion needs. */
function unknownContent({ field = "", kind = "tool" }: SpanAssertion): string {
  const of = stepKind(kind);
  if (field === "agent") return "agents";
  if (of === "retrieval") return "retrievals";
  if (of === "model") return "usage";
  return field.startsWith("arguments") ? "tool_arguments" : "tool_results";
}

/**
 * Whether an object, or a JSON text of an object, has the key with a value that includes `wanted`. Undefined if the text exceeds the JSON
 * parser's limits.
 */
function hasEntry(value: JsonValue, key: string, wanted: JsonValue): boolean | undefined {
  const opened = valueInText(value);
  if (opened === undefined) return undefined;
  if (!isObject(opened) || !Object.hasOwn(opened, key)) return false;
  return hasAll(opened[key] ?? null, wanted);
}

/**
 * Whether `found` includes `wanted`. At any depth, objects in `found` may have more entries; all other values must be equal. Undefined if a
 * text exceeds the JSON parser's limits.
 */
function hasAll(found: JsonValue, wanted: JsonValue): boolean | undefined {
  if (isArray(wanted)) {
    if (!isArray(found) || found.length !== wanted.length) return false;
    return everyHolds(wanted.map((item, at) => hasAll(found[at] ?? null, item)));
  }
  if (!isObject(wanted)) return deepEqual(found, wanted);
  return everyHolds(Object.entries(wanted).map(([key, inner]) => hasEntry(found, key, inner ?? null)));
}

/** Logical AND of three values: false if a part is false, else undefined if a part is undefined, else true. */
function everyHolds(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

interface Problem {
  readonly message: string;
  /** The violation without values of the step, so that equal violations of different runs have equal texts. */
  readonly fault: string;
}

/**
 * Describes the entries of `includes` that are missing or different in the value: `title is "Emma", expected "Dune"`.
 * @param absent keys of the missing or different entries
 */
function otherEntries(
  value: JsonValue,
  includes: JsonObject,
  absent: readonly string[],
  where: string,
): Problem {
  const opened = valueInText(value);
  const messages = absent.map((key) => {
    if (!isObject(opened) || !Object.hasOwn(opened, key)) return `${where} lacks ${key}`;
    return `${key} is ${shownValue(opened[key])}, expected ${shownValue(includes[key])}`;
  });
  return { message: listed(messages), fault: `${where} lacks the expected ${listed(absent)}` };
}

const LONGEST_VALUE = 60;

function shownValue(value: JsonValue | undefined): string {
  return textual(JSON.stringify(value ?? null), LONGEST_VALUE);
}

function alike(message: string): Problem {
  return { message, fault: message };
}

/**
 * Whether a value is equal to `equals`. Telemetry contains whole results as JSON texts, so the result `42` as text is also equal to the
 * number 42. Undefined if the text exceeds the JSON parser's limits.
 */
function equalsValue(value: JsonValue, equals: JsonValue, field = "."): boolean | undefined {
  if (deepEqual(value, equals)) return true;
  if (typeof value !== "string" || typeof equals === "string" || equals === null || field.includes("."))
    return false;
  const opened = valueInText(value);
  return opened === undefined ? undefined : deepEqual(opened, equals);
}

/** Returns the violation of one step; undefined if the step meets the assertion, null if the field was not captured. */
function problemOf(
  step: Step,
  assertion: SpanAssertion,
  compiled: PatternResult | undefined,
): Problem | null | undefined {
  const { field, equals, includes, contains, not_contains, regex } = assertion;
  const value: JsonValue | undefined = field === undefined ? wholeText(step) : fieldAt(step, field);
  if (value === undefined) return null;
  if (field === "agent" && step.isNamedByService === true && !deepEqual(value, equals ?? null)) return null;
  const where = field ?? "the step";
  const texts = searchedTexts(step, value, field);
  const isPartial = isPartlyUnknown(step, value, field);
  const isEqual = equals === undefined || equalsValue(value, equals, field);
  if (isEqual === undefined) return null;
  if (!isEqual) {
    const message = `${where} is ${shownValue(value)}, expected ${shownValue(equals)}`;
    return { message, fault: `${where} is not ${JSON.stringify(equals)}` };
  }
  if (includes !== undefined) {
    const entries = Object.entries(includes).map(
      ([key, wanted]) => [key, hasEntry(value, key, wanted ?? null)] as const,
    );
    const absent = entries.flatMap(([key, has]) => (has === false ? [key] : []));
    if (absent.length > 0) return otherEntries(value, includes, absent, where);
    if (entries.some(([, has]) => has === undefined)) return null;
  }
  if (not_contains !== undefined && texts.some((text) => text.includes(not_contains)))
    return alike(`${where} contains ${JSON.stringify(not_contains)}`);
  const isFound = contains === undefined || texts.some((text) => occursWithWholeNumbers(text, contains));
  if (!isFound && !isPartial) return alike(`${where} does not contain ${JSON.stringify(contains)}`);
  if (compiled !== undefined && !compiled.ok)
    throw new Error(`the pattern cannot be run: ${compiled.problem.message}`);
  const isMatched = compiled === undefined || texts.some((text) => compiled.pattern.test(text));
  if (!isMatched && !isPartial) return alike(`${where} does not match ${regex}`);
  // If a part of the value was not captured, the missing part may contain each searched text, so only a found text decides.
  const isOpen = !isFound || !isMatched || not_contains !== undefined;
  return isOpen && isPartial ? null : undefined;
}
