import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";
import { type Block, buildPrompt, type Prompt } from "./prompt.ts";
import { rationaleText, read, type Reading } from "../reply/reading.ts";
import {
  choiceSchema,
  confidenceSchema,
  listSchema,
  objectSchema,
  textSchema,
} from "../reply/reply-schema.ts";
import { type Criterion, examplesOf, referenceNotes, type Rubric } from "./rubric.ts";
import { computedScore, type Scored } from "../reply/scored.ts";

/** Returns the prompt for weighted criteria. The judge scores each criterion separately, from 0 to 1. */
export function criteriaPrompt(
  rubric: Rubric,
  blocks: readonly Block[],
  confidence: boolean,
  maxText: number,
): Prompt {
  const entry = objectSchema({
    id: choiceSchema(
      rubric.criteria.map((it) => it.id),
      "which criterion",
    ),
    reason: textSchema("why, in a sentence"),
    applicable: { type: "boolean", description: "false when the criterion can not apply to this material" },
    score: { type: "number", description: "0 (not met) to 1 (fully met)" },
  });
  const schema = objectSchema({
    criteria: listSchema(entry),
    rationale: textSchema("the whole in a sentence or two"),
    ...confidenceSchema(confidence),
  });
  return buildPrompt(
    instructions(rubric),
    blocks,
    "Judge the material above by each criterion.",
    schema,
    maxText,
  );
}

function instructions(rubric: Rubric): readonly string[] {
  const lines = rubric.criteria.map((it) => {
    return `${it.id}: ${it.text} (${it.kind === "binary" ? "score exactly 0 or 1" : "score 0 to 1"})`;
  });
  const parts = [
    "You judge the work of an AI agent by several criteria, each by itself and once. Give your reason first, then the score that follows from it. Mark a criterion as not applicable only when it cannot apply; missing work is a 0.",
    `Criteria:\n${lines.join("\n")}`,
  ];
  if (rubric.rule !== "") parts.unshift(`What is judged:\n${rubric.rule}`);
  return [...parts, ...referenceNotes(rubric), ...examplesOf(rubric)];
}

const criteriaReply = z.object({
  criteria: z.array(
    z.object({
      id: z.string(),
      applicable: z.boolean().default(true),
      score: z.number().min(0).max(1).nullish(),
      reason: z.string().default(""),
    }),
  ),
  rationale: rationaleText.default(""),
  confidence: z.number().min(0).max(1).nullish(),
});

type CriterionReply = z.infer<typeof criteriaReply>["criteria"][number];

/** Parses a reply to `criteriaPrompt`, which must contain each criterion exactly once. The score is ProjectScylla's impl_rate. */
export function readCriteria(rubric: Rubric, json: JsonValue): Reading<Scored> {
  const reply = read(criteriaReply, json);
  if (!reply.ok) return reply;
  const byId = new Map(reply.value.criteria.map((it) => [it.id, it]));
  const problems = disagreements(rubric.criteria, reply.value.criteria);
  if (problems.length > 0) return { ok: false, problems };
  const answers = rubric.criteria.map((criterion) => ({ criterion, reply: byId.get(criterion.id) }));
  const score = weightedScore(
    answers.map(({ criterion, reply }) => [
      criterion.weight,
      reply?.applicable === true ? (reply.score ?? null) : null,
    ]),
  );
  const lines = answers.map(({ criterion, reply }) => `\n${criterion.id}: ${describe(reply)}`);
  return computedScore(rubric, score, reply.value, lines);
}

function disagreements(
  criteria: readonly Criterion[],
  replies: readonly CriterionReply[],
): readonly string[] {
  const kinds = new Map(criteria.map((it) => [it.id, it.kind]));
  const seen = new Set(replies.map((it) => it.id));
  const problems: string[] = [];
  if (seen.size !== replies.length) problems.push("a criterion is scored twice");
  if (replies.some((it) => !kinds.has(it.id))) problems.push("a criterion that was not asked for is scored");
  for (const { id } of criteria) if (!seen.has(id)) problems.push(`criterion ${id} is missing`);
  for (const it of replies.filter((it) => it.applicable)) {
    if (it.score == null && kinds.has(it.id)) problems.push(`criterion ${it.id} has no score`);
    if (kinds.get(it.id) === "binary" && it.score !== 0 && it.score !== 1)
      problems.push(`criterion ${it.id} is not 0 or 1`);
  }
  return problems;
}

function describe(reply: CriterionReply | undefined): string {
  if (reply?.applicable !== true) return "not applicable";
  return `${reply.score ?? "unknown"} ${reply.reason.slice(0, 300)}`.trimEnd();
}

/**
 * Returns ProjectScylla's impl_rate, from 0 to 1: Σ(score·weight) / Σ(weight) over criteria with a score. Null if no criterion has a score.
 */
function weightedScore(scores: readonly (readonly [weight: number, score: number | null])[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const [weight, score] of scores) {
    if (score === null) continue;
    sum += weight * score;
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}
