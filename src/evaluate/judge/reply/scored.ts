import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../model/json.ts";
import { type Block, buildPrompt, type Prompt } from "../prompt/prompt.ts";
import { rationaleText, read, type Reading } from "./reading.ts";
import { choiceSchema, confidenceSchema, listSchema, objectSchema, textSchema } from "./reply-schema.ts";
import { examplesOf, referenceNotes, type Rubric } from "../prompt/rubric.ts";

export const judgeLabels = ["pass", "fail", "borderline"] as const;
export type JudgeLabel = (typeof judgeLabels)[number];

/** Answer of one judge to a rubric. */
export interface Scored {
  /** Score from 1 to 5; for criteria and items, from 0 to 1. Null if the rubric does not apply. */
  readonly score: number | null;
  readonly label: JudgeLabel;
  readonly rationale: string;
  /** Confidence from 0 to 1; null if the reply has none. */
  readonly confidence: number | null;
  /** Numbers of checked and of unsupported claims; null for rubrics without claims. */
  readonly claims: { readonly checked: number; readonly unsupported: number } | null;
  /** For `each` rubrics: number of applicable items, and number of those that meet the rubric's rule. Null for other rubrics. */
  readonly items: { readonly counted: number; readonly held: number } | null;
}

/**
 * Returns the answer of a judge whose score from 0 to 1 was computed from its decisions. The label follows from the rubric's threshold.
 * @param lines further lines of the rationale
 */
export function computedScore(
  { threshold }: Rubric,
  score: number | null,
  reply: { readonly rationale: string; readonly confidence?: number | null | undefined },
  lines: readonly string[],
  items: Scored["items"] = null,
): Reading<Scored> {
  const value: Scored = {
    score,
    label: score === null ? "borderline" : isAtLeast(score, threshold) ? "pass" : "fail",
    rationale: (reply.rationale + lines.join("")).slice(0, 8000),
    confidence: reply.confidence ?? null,
    claims: null,
    items,
  };
  return { ok: true, value };
}

const DEFAULT_SCALE = [
  "1: does not meet the rubric at all",
  "2: meets little of it; serious faults",
  "3: meets a part of it; clear gaps",
  "4: meets it but for trifles",
  "5: meets all of it",
];

/** Returns the prompt for one score from 1 to 5. */
export function scoredPrompt(
  rubric: Rubric,
  blocks: readonly Block[],
  confidence: boolean,
  maxText: number,
): Prompt {
  return buildPrompt(
    instructions(rubric),
    blocks,
    "Judge the material above by the rubric.",
    scoredSchema(rubric, confidence),
    maxText,
  );
}

function instructions(rubric: Rubric): readonly string[] {
  const scale = rubric.scale.length > 0 ? rubric.scale : DEFAULT_SCALE;
  const parts = [
    "You judge one answer of an AI agent by one rubric, and by nothing else. Neither length, style nor confidence earns anything the rubric does not ask for. Give your reasons first, then the score that follows from them.",
    `Rubric:\n${rubric.rule}`,
    `Scores:\n${scale.join("\n")}`,
    "Label: pass when the rubric is met, fail when it is not, borderline when it could be argued either way.",
  ];
  if (rubric.claims) parts.push(CLAIMS);
  if (rubric.skipWhen !== null)
    parts.push(`Reply "applicable": false, and score 1, only when ${rubric.skipWhen}.`);
  return [...parts, ...referenceNotes(rubric), ...examplesOf(rubric)];
}

const CLAIMS = `First list the factual claims of the ANSWER, each with whether TOOLS, RETRIEVALS, REFERENCE or the QUERY support it:
"yes" when they state it or it follows from them, "no" when they contradict it or say nothing of it. Leave out greetings,
offers, questions and opinions. An answer without claims has nothing unsupported.`;

function scoredSchema({ claims, skipWhen }: Rubric, confidence: boolean): JsonObject {
  const claim = objectSchema({
    claim: textSchema("one factual claim"),
    supported: choiceSchema(["yes", "no"], "whether the evidence supports it"),
  });
  return objectSchema({
    ...(claims ? { claims: listSchema(claim) } : {}),
    ...(skipWhen === null
      ? {}
      : { applicable: { type: "boolean", description: "whether the rubric applies" } }),
    rationale: textSchema("why, in a few sentences"),
    score: choiceSchema([1, 2, 3, 4, 5], "by the scores above"),
    label: choiceSchema(judgeLabels, "by the rubric"),
    ...confidenceSchema(confidence),
  });
}

const label = z.preprocess(
  (it) => (typeof it === "string" ? it.trim().toLowerCase() : it),
  z.enum(judgeLabels),
);

/** Schema of a score. Also accepts text such as "4", which models without structured output write. */
const score = z.preprocess(
  (it) => (typeof it === "string" && /^[1-5]$/.test(it.trim()) ? Number(it) : it),
  z.int().min(1).max(5),
);

const scoredReply = z.object({
  score,
  label,
  rationale: rationaleText,
  applicable: z.boolean().default(true),
  confidence: z.number().min(0).max(1).nullish(),
  claims: z.array(z.object({ claim: z.string(), supported: z.enum(["yes", "no"]) })).nullish(),
});

/** Parses a reply to `scoredPrompt`. The highest score contradicts a list with an unsupported claim. */
export function readScored({ skipWhen }: Rubric, json: JsonValue): Reading<Scored> {
  const reply = read(scoredReply, json);
  if (!reply.ok) return reply;
  const { rationale, confidence, claims } = reply.value;
  const applicable = skipWhen === null || reply.value.applicable;
  const score = applicable ? reply.value.score : null;
  const label = applicable ? reply.value.label : "borderline";
  const unsupported = claims?.filter((it) => it.supported === "no") ?? [];
  if (score === 5 && unsupported.length > 0)
    return { ok: false, problems: ["the highest score contradicts a claim without support"] };
  const listed = unsupported.slice(0, 20).map((it) => `\nunsupported: ${it.claim.slice(0, 300)}`);
  return {
    ok: true,
    value: {
      score,
      label,
      rationale: rationale + listed.join(""),
      confidence: confidence ?? null,
      claims: claims == null ? null : { checked: claims.length, unsupported: unsupported.length },
      items: null,
    },
  };
}
