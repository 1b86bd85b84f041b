import { append } from "../../../support/structures/long-lists.ts";
import { z } from "zod";
import type { AgentRun } from "../../../model/run.ts";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, pass, spanIdsOf, violated } from "../../result/finding.ts";
import { limitOfCut } from "../../rules/cut-values.ts";
import { count, listed } from "../../rules/text.ts";
import { withoutAnswer } from "./answer.ts";
import { GroundingEvidence } from "./grounding/evidence.ts";
import { type Kind, kinds, type TextValue } from "./grounding/reading.ts";
import { statedValues } from "./grounding/values.ts";
import type { JsonValue } from "../../../model/json.ts";

const rule = z.strictObject({
  in: z.enum(["answer", "arguments"]).exactOptional(),
  kinds: z.array(z.enum(kinds)).min(1).exactOptional(),
  known: z.array(z.string().min(1)).min(1).exactOptional(),
});

/**
 * Reason why a value without matching evidence may still be grounded. `unread`: no rule can parse the value. `lost`: characters of the
 * evidence are missing. `unit`: the evidence has the value with another unit, denominator or number of decimals.
 */
type Doubt = "unread" | "lost" | "unit";

const doubts: Readonly<Record<Doubt, string>> = {
  unread: "cannot be read as a value",
  lost: "may match evidence with lost characters",
  unit: "in evidence with another unit, denominator or number of decimals",
};

interface Ungrounded {
  readonly value: TextValue;
  /** Reason why the value may still be grounded; null if the value is certainly ungrounded. */
  readonly doubt: Doubt | null;
  /** Where the value is, such as "the answer" or "the arguments of refund". */
  readonly place: string;
  readonly spanId: string | null;
}

/** Check `grounded`. Its measured value is the number of ungrounded values. */
export const grounded = defineCheck({
  key: "grounded",
  layer: "correctness",
  metric: "ungrounded_values",
  summary:
    "Each id, number, date, URL and e-mail address of the answer occurs in the query, a tool result or a retrieved document. `in: arguments` reads the arguments of tool calls instead of the answer.",
  details:
    "In a conversation, the queries, results and documents of earlier turns count, too. `kinds` limits the kinds of values. Texts of `known`, such as opening hours from the instructions, and the ids and sources of retrieved documents also count as evidence. With `in: arguments`, a tool's result counts only for later calls. `incomplete` if a value is unreadable or evidence is missing. See *Grounded values*.",
  limit: rule,
  comparesResults: true,
  evaluate(context, limit) {
    const { run } = context;
    const wanted = new Set<Kind>(limit.kinds ?? kinds);
    if (limit.in === "arguments") {
      const ungroundedArguments = inArguments(context, wanted, limit.known);
      if (context.metrics.used.some((call) => call.arguments === undefined))
        return conclude(context, ungroundedArguments, earlierResults, true);
      return conclude(context, ungroundedArguments, earlierResults);
    }
    const { answer } = run;
    if (answer === null) return withoutAnswer(context);
    const evidence = evidenceOutsideTools(context, limit.known);
    for (const { query } of turnsOf(run)) evidence.add(query ?? undefined);
    for (const call of context.metrics.used) evidence.add(call.result);
    return conclude(context, ungroundedIn(answer, evidence, wanted, "the answer", run.rootSpanId));
  },
});

/** Returns the runs of a conversation; for a single run, this run. Each run has a question of the user. */
function turnsOf(run: AgentRun): readonly AgentRun[] {
  return run.turns ?? [run];
}

/** Returns the evidence in the spec, in retrieved documents, and in earlier turns of the conversation. */
function evidenceOutsideTools(
  { run, earlier = [] }: CheckContext,
  known: readonly string[] | undefined,
): GroundingEvidence {
  const evidence = new GroundingEvidence();
  for (const text of known ?? []) evidence.add(text);
  for (const { query, tools } of earlier) {
    evidence.add(query ?? undefined);
    for (const { result } of tools) evidence.add(result);
  }
  // The query of a retrieval is not evidence: the agent wrote it.
  for (const { documents } of [...earlier, run].flatMap(({ retrievals }) => retrievals))
    for (const { id, content, sources = [] } of documents)
      evidence.add([id ?? "", content ?? "", ...sources]);
  return evidence;
}

function inArguments(
  context: CheckContext,
  wanted: ReadonlySet<Kind>,
  known: readonly string[] | undefined,
): readonly Ungrounded[] {
  const evidence = evidenceOutsideTools(context, known);
  const ungrounded: Ungrounded[] = [];
  const calls = context.metrics.used;
  let from = 0;
  for (const { query, tools } of turnsOf(context.run)) {
    evidence.add(query ?? undefined);
    const to = from + tools.filter(({ executed }) => executed !== false).length;
    for (const call of calls.slice(from, to)) {
      const place = `the arguments of ${call.name ?? "an unnamed tool"}`;
      append(ungrounded, ungroundedIn(textOf(call.arguments), evidence, wanted, place, call.spanId));
      evidence.add(call.result);
    }
    from = to;
  }
  return ungrounded;
}

function ungroundedIn(
  text: string,
  evidence: GroundingEvidence,
  wanted: ReadonlySet<Kind>,
  place: string,
  spanId: string | null,
): readonly Ungrounded[] {
  return statedValues(text, wanted)
    .filter((value) => !evidence.grounds(value))
    .map((value) => ({
      value,
      doubt:
        value.kind === null
          ? ("unread" as const)
          : evidence.mayGround(value)
            ? ("lost" as const)
            : evidence.mayMean(value)
              ? ("unit" as const)
              : null,
      place,
      spanId,
    }));
}

/** Returns the values of arguments, one on each line. Keys are omitted, because the tool defines the keys. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? Object.values(value).map(textOf).join("\n") : String(value);
}

const earlierResults = "the results of earlier calls";

/**
 * Returns the finding about the ungrounded values.
 * @param results phrase that names in messages which tool results count as evidence; undefined means the results of all called tools
 * @param isTextMissing whether some of the checked text was not captured
 */
function conclude(
  context: CheckContext,
  ungrounded: readonly Ungrounded[],
  results?: string,
  isTextMissing = false,
): Finding {
  const doubtful = ungrounded.filter(({ doubt }) => doubt !== null);
  const wrong = each(ungrounded.filter(({ doubt }) => doubt === null));
  if (wrong.length === 0) {
    if (isTextMissing)
      return incomplete("tool_arguments", "the arguments of a call were not captured", context.run);
    if (doubtful.length > 0) return undecided(doubtful);
    return pass(0, "every value comes from the query, a tool result or a retrieval");
  }
  const hidden = hiddenEvidence(context);
  if (hidden !== undefined) {
    const message = `${count(wrong.length, "value")} in no captured source, and ${hidden.what}`;
    return incomplete(hidden.field, message, context.run);
  }
  const named = wrong.map(({ value, place }) => `${value.kind ?? ""} ${value.text} in ${place}`);
  const message = `${listed(named)}: neither in the query nor in ${sources(context, results)}`;
  return violated(wrong.length, message, { spanIds: [...new Set(spanIdsOf(wrong))], faults: named });
}

/** Removes repetitions: equal values at the same place count once, even if their possible meanings differ. */
function each(ungrounded: readonly Ungrounded[]): readonly Ungrounded[] {
  const named = ungrounded.map(
    (one) => [`${one.value.text.toLowerCase()} ${one.place} ${one.spanId ?? ""}`, one] as const,
  );
  return [...new Map(named.reverse()).values()].reverse();
}

/** Returns the `incomplete` finding for values that may still be grounded (`Doubt`). */
function undecided(doubtful: readonly Ungrounded[]): Finding {
  const messages = (Object.keys(doubts) as Doubt[]).flatMap((doubt) => {
    const own = doubtful.filter((one) => one.doubt === doubt);
    const named = listed(own.map(({ value, place }) => `${value.text} in ${place}`));
    return own.length === 0 ? [] : [`${doubts[doubt]}: ${named}`];
  });
  return {
    outcome: "incomplete",
    value: null,
    message: messages.join("; "),
    missing: ["readable_values"],
    remedy:
      "Let the tools return the value in the form in which the agent writes it, or let the agent write a common form, such as 2025-03-09 or 1,200.50.",
  };
}

/** Returns the missing field that may contain the evidence, and a phrase for messages (`what`); undefined if all evidence was captured. */
function hiddenEvidence({
  run,
  metrics,
  earlier = [],
}: CheckContext): { field: string; what: string } | undefined {
  const queries = [...earlier, ...turnsOf(run)].map(({ query }) => query);
  if (queries.includes(null)) return { field: "query", what: "the query was not captured" };
  if (queries.some((query) => query !== null && limitOfCut(query) !== null))
    return { field: "query", what: "the query was cut off" };
  const lacks = (what: string): boolean =>
    metrics.lacks(what) || earlier.some(({ missing }) => missing.some((entry) => entry.what === what));
  if (lacks("tools")) return { field: "tools", what: "tool calls may be missing" };
  const calls = [
    ...earlier.flatMap(({ tools }) => tools.filter(({ executed }) => executed !== false)),
    ...metrics.used,
  ];
  if (calls.some((call) => call.result === undefined && call.error === null)) {
    return { field: "tool_results", what: "not every tool result was captured" };
  }
  const retrievals = [...earlier, run].flatMap((one) => one.retrievals);
  const blank = retrievals.some(
    ({ documents, isPartial = false }) =>
      isPartial || documents.some(({ content }) => content === null || limitOfCut(content) !== null),
  );
  return blank || lacks("retrievals")
    ? { field: "retrievals", what: "not every retrieved document was captured" }
    : undefined;
}

function sources({ run, metrics }: CheckContext, counting: string | undefined): string {
  const tools = [...new Set(metrics.toolNames.map((name) => name ?? "an unnamed tool"))];
  const results = tools.length === 0 ? "" : (counting ?? `the results of ${listed(tools)}`);
  const retrievals = run.retrievals.length === 0 ? "" : count(run.retrievals.length, "retrieval");
  return (
    [results, retrievals].filter((source) => source !== "").join(" or ") ||
    "any tool result (no tool was called)"
  );
}
