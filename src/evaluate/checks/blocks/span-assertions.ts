import { derivedOnce } from "../../../support/structures/bounded-memo.ts";
import { z } from "zod";
import { isObject, type JsonValue } from "../../../model/json.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { type Check, type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, pass, skip, violated } from "../../result/finding.ts";
import { specPattern } from "../../rules/spec-pattern.ts";
import { deepEqual } from "../../metrics/sequences/deep-equal.ts";
import { count, listed } from "../../rules/text.ts";
import {
  fieldAt,
  type Step,
  type StepKind,
  stepKind,
  stepsOf,
  textOf,
  valueInText,
  wholeText,
} from "./span-fields.ts";

type SpanAssertion = CompiledQuery["spans"][number];

const MOST_SPANS = 32;

/**
 * AgentCI's span assertions: every step of the kind and name must hold what is asserted of its field, and there must be as many as
 * asked for: one at least, unless `min_count` or `max_count` says otherwise. A field that was not captured leaves it open.
 */
export const spanAssertion: Check = defineCheck({
  key: "spans",
  layer: "path",
  metric: "spans",
  summary: "Every step of this kind and name holds what is asserted of it.",
  limit: z.json() as unknown as z.ZodType<SpanAssertion>,
  undoable: true,
  evaluate(context, assertion) {
    const kind = assertion.kind === undefined ? undefined : stepKind(assertion.kind);
    const steps = stepsOf(context.run, kind).filter(
      ({ name }) => assertion.name === undefined || name === assertion.name,
    );
    const what = `${kind ?? "step"}${assertion.name === undefined ? "" : ` ${assertion.name}`}`;
    return wrongNumber(context, assertion, steps.length, what) ?? everyStep(context, assertion, steps, what);
  },
});

/** What the `judge` of an assertion adds to it: asked in the first of the judges' stages. */
export const judgedSpanAssertion: Check = defineCheck({
  key: "spans",
  layer: "path",
  metric: "spans.judge",
  summary: "Every step of this kind and name passes the rubric.",
  limit: z.json() as unknown as z.ZodType<SpanAssertion>,
  undoable: true,
  judged: true,
  evaluate: () => skip("asks a judge"),
});

function wrongNumber(
  context: CheckContext,
  { kind, min_count, max_count }: SpanAssertion,
  found: number,
  what: string,
): Finding | undefined {
  const least = min_count ?? (max_count === undefined ? 1 : 0);
  const measure = `${count(found, what)} found`;
  if (max_count !== undefined && found > max_count) {
    return { ...violated(found, `${measure}, at most ${max_count} allowed`), final: true };
  }
  if (found >= least) return undefined;
  const field = kind === undefined ? undefined : hiding[stepKind(kind)];
  if (field !== undefined && context.metrics.lacks(field)) {
    return incomplete(field, `${measure}, but some may have been left out`, context.run, found);
  }
  return violated(found, `${measure}, at least ${least} expected`);
}

/** The field of the run whose absence hides steps of a kind. */
const hiding: Readonly<Partial<Record<StepKind, string>>> = {
  tool: "tools",
  model: "llm_calls",
  retrieval: "retrievals",
  handoff: "handoffs",
};

function everyStep(
  context: CheckContext,
  assertion: SpanAssertion,
  steps: readonly Step[],
  what: string,
): Finding {
  const wrong: Step[] = [];
  const said: string[] = [];
  let unknown = 0;
  for (const step of steps) {
    const problem = problemOf(step, assertion, context.preset === "evalview");
    if (problem === undefined) continue;
    if (problem === null) unknown++;
    else {
      wrong.push(step);
      if (!said.includes(problem)) said.push(problem);
    }
  }
  const holding = steps.length - wrong.length - unknown;
  const measure = `${holding} of ${count(steps.length, what)} hold`;
  if (assertion.some === true && holding > 0) return pass(holding, measure);
  if (wrong.length > 0 && !(assertion.some === true && unknown > 0)) {
    const spanIds = wrong.flatMap(({ spanId }) => (spanId === null ? [] : [spanId])).slice(0, MOST_SPANS);
    const found = violated(wrong.length, `${measure}: ${listed(said)}`, spanIds);
    // Where one is enough, a span still to come may be it.
    return assertion.some === true ? found : { ...found, final: true };
  }
  if (unknown === 0) return pass(steps.length, measure);
  const field = (assertion.field ?? "").startsWith("arguments") ? "tool_arguments" : "tool_results";
  return incomplete(field, `${measure}, ${unknown} do not tell ${assertion.field ?? ""}`, context.run);
}

/**
 * Whether an object, or JSON text of one, has an entry; where the entry is an object, too, it may have more than is asked for.
 * Undefined where the text exceeds what is parsed.
 */
function hasEntry(value: JsonValue, key: string, wanted: JsonValue | undefined): boolean | undefined {
  const opened = valueInText(value);
  if (opened === undefined) return undefined;
  if (!isObject(opened) || !Object.hasOwn(opened, key)) return false;
  const found = opened[key];
  if (!isObject(wanted)) return found !== undefined && wanted !== undefined && deepEqual(found, wanted);
  if (found === undefined || !isObject(found)) return false;
  const entries = Object.keys(wanted).map((inner) => hasEntry(found, inner, wanted[inner]));
  if (entries.includes(false)) return false;
  return entries.includes(undefined) ? undefined : true;
}

const plainPattern = derivedOnce(({ regex = "" }: SpanAssertion) => specPattern(regex, false));
const evalviewPattern = derivedOnce(({ regex = "" }: SpanAssertion) => specPattern(regex, true));

/** What is wrong with a step; undefined when nothing is, null when its telemetry does not tell. */
function problemOf(step: Step, assertion: SpanAssertion, evalview: boolean): string | null | undefined {
  const { field, equals, includes, contains, not_contains, regex } = assertion;
  const value: JsonValue | undefined = field === undefined ? wholeText(step) : fieldAt(step, field);
  if (value === undefined) return null;
  const where = field ?? "it";
  const text = textOf(value);
  if (equals !== undefined && !deepEqual(value, equals)) return `${where} is not ${textOf(equals)}`;
  if (includes !== undefined) {
    const entries = Object.keys(includes).map((key) => [key, hasEntry(value, key, includes[key])] as const);
    const absent = entries.flatMap(([key, has]) => (has === false ? [key] : []));
    if (absent.length > 0) return `${where} lacks the expected ${listed(absent)}`;
    if (entries.some(([, has]) => has === undefined)) return null;
  }
  if (contains !== undefined && !text.includes(contains)) return `${where} lacks ${JSON.stringify(contains)}`;
  if (not_contains !== undefined && text.includes(not_contains)) {
    return `${where} has ${JSON.stringify(not_contains)} in it`;
  }
  if (regex === undefined) return undefined;
  const compiled = (evalview ? evalviewPattern : plainPattern)(assertion);
  if (!compiled.ok) throw new Error(`the pattern cannot be run: ${compiled.problem.message}`);
  return compiled.pattern.test(text) ? undefined : `${where} does not match ${regex}`;
}
