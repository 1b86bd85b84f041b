import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";
import type { Each, ItemKind } from "./item-kinds.ts";
import { type Block, buildPrompt, type Prompt } from "./prompt.ts";
import { referenceNotes, examplesOf, type Rubric } from "./rubric.ts";
import { rationaleText, read, type Reading } from "../reply/reading.ts";
import {
  choiceSchema,
  confidenceSchema,
  listSchema,
  objectSchema,
  textSchema,
} from "../reply/reply-schema.ts";
import { computedScore, type Scored } from "../reply/scored.ts";

/** Maximum number of items in one question. */
export const MOST_ITEMS = 50;

const numbered: Readonly<Record<Exclude<ItemKind, "claim">, string>> = {
  tool_call: "each numbered tool call of CALLS",
  turn: "each numbered reply of the assistant in TURNS",
  document: "each numbered document of DOCUMENTS",
};

/** Returns the prompt for a rubric that the judge decides item by item. */
export function eachPrompt(
  rubric: Rubric,
  each: Each,
  blocks: readonly Block[],
  confidence: boolean,
  maxText: number,
): Prompt {
  const decisions = rubric.skipWhen === null ? ["yes", "no"] : ["yes", "no", "not_applicable"];
  const entry = objectSchema({
    item:
      each.item === "claim" ? textSchema("the claim") : { type: "integer", description: "the item's number" },
    reason: textSchema("why, in a sentence"),
    holds: choiceSchema(decisions, "whether the rule holds for it"),
  });
  const schema = objectSchema({
    items: listSchema(entry),
    rationale: textSchema("the whole in a sentence or two"),
    ...confidenceSchema(confidence),
  });
  return buildPrompt(instructions(rubric, each), blocks, "Decide for each item.", schema, maxText);
}

function instructions(rubric: Rubric, each: Each): readonly string[] {
  const what =
    each.item === "claim"
      ? `First list ${each.list ?? "the factual claims of the ANSWER"}, ${MOST_ITEMS} at most, each once and in a sentence that stands alone. Then decide for each of them whether the rule holds.`
      : `Decide for ${numbered[each.item]}, each once and by itself, whether the rule holds.`;
  const parts = [
    `You judge the work of an AI agent by one rule. ${what} Give your reason first.`,
    `Rule:\n${rubric.rule}`,
  ];
  if (rubric.skipWhen !== null) parts.push(`Decide "not_applicable" only when ${rubric.skipWhen}.`);
  return [...parts, ...referenceNotes(rubric), ...examplesOf(rubric)];
}

const eachReply = z.object({
  items: z.array(
    z.object({
      item: z.union([z.int(), z.string()]),
      holds: z.enum(["yes", "no", "not_applicable"]),
      reason: z.string().default(""),
    }),
  ),
  rationale: rationaleText.default(""),
  confidence: z.number().min(0).max(1).nullish(),
});

type ItemReply = z.infer<typeof eachReply>["items"][number];

/**
 * Parses a reply to `eachPrompt`.
 * @param groups for each numbered item, the index of its list; null for claims
 */
export function readEach(
  rubric: Rubric,
  each: Each,
  groups: readonly number[] | null,
  json: JsonValue,
): Reading<Scored> {
  const reply = read(eachReply, json);
  if (!reply.ok) return reply;
  const { items } = reply.value;
  const problems = [
    ...decisionProblems(rubric, items),
    ...(groups === null ? [] : numberProblems(items, groups.length)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const sorted = groups === null ? items : items.toSorted((a, b) => Number(a.item) - Number(b.item));
  const score = eachScore(
    sorted.map(({ holds }, at) => ({
      holds: holds === "not_applicable" ? null : holds === "yes",
      group: groups?.[at] ?? 0,
    })),
    each.score,
  );
  const lines = sorted
    .filter(({ holds }) => holds === "no")
    .slice(0, 20)
    .map(lineOf);
  return computedScore(rubric, score, reply.value, lines, {
    counted: sorted.filter(({ holds }) => holds !== "not_applicable").length,
    held: sorted.filter(({ holds }) => holds === "yes").length,
  });
}

function lineOf({ item, reason }: ItemReply): string {
  return `\nno: ${String(item).slice(0, 300)}${reason === "" ? "" : ` (${reason.slice(0, 300)})`}`;
}

function decisionProblems({ skipWhen }: Rubric, items: readonly ItemReply[]): readonly string[] {
  return skipWhen === null && items.some(({ holds }) => holds === "not_applicable")
    ? ["an item is decided as not_applicable, but this rubric allows only yes and no"]
    : [];
}

/** Returns problems: missing, repeated and unknown items. */
function numberProblems(items: readonly ItemReply[], count: number): readonly string[] {
  const seen = new Set(items.map(({ item }) => Number(item)));
  const problems: string[] = [];
  if (seen.size !== items.length) problems.push("an item is decided twice");
  if ([...seen].some((item) => !(item >= 1 && item <= count)))
    problems.push("an item that does not exist is decided");
  for (let item = 1; item <= count; item++) if (!seen.has(item)) problems.push(`item ${item} is missing`);
  return problems.slice(0, 5);
}

interface Decision {
  /** Whether the item meets the rule; null if the rule does not apply. */
  readonly holds: boolean | null;
  /** Index of the item's list, such as the documents of one retrieval. Items of a list are in order of rank. */
  readonly group: number;
}

/**
 * Returns the score from 0 to 1 of a list of decisions; null if the rule applies to no item. `share`: share of applicable items that meet
 * the rule. `ranked`: mean over the lists of the average precision Σ(precision@k · holds_k) / Σ holds_k, which is 0 if no item of a list
 * meets the rule (Ragas context precision, DeepEval contextual precision).
 */
export function eachScore(decisions: readonly Decision[], score: Each["score"]): number | null {
  const counted = decisions.filter(({ holds }) => holds !== null);
  if (counted.length === 0) return null;
  if (score === "share") return counted.filter(({ holds }) => holds).length / counted.length;
  const groups = [...new Set(counted.map(({ group }) => group))];
  const precisions = groups.map((group) =>
    averagePrecision(counted.filter((it) => it.group === group).map(({ holds }) => holds === true)),
  );
  return precisions.reduce((sum, it) => sum + it, 0) / precisions.length;
}

function averagePrecision(relevant: readonly boolean[]): number {
  let hits = 0;
  let sum = 0;
  for (const [at, isRelevant] of relevant.entries()) {
    if (!isRelevant) continue;
    hits++;
    sum += hits / (at + 1);
  }
  return hits === 0 ? 0 : sum / hits;
}
