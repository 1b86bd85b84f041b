import { z } from "zod";
import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import type { JsonValue } from "../../../model/json.ts";
import { mean } from "../ask/ensemble.ts";
import { type Judgement, unreadConversation, unseenJudgement } from "../reply/judged-result.ts";
import type { TopicAdherenceLimit } from "../prompt/limits.ts";
import { inset, judgeInputOf } from "../prompt/run-texts.ts";
import { askAll, ballots, type Bench, recordOf } from "../ask/panel.ts";
import { type Block, buildPrompt, type Prompt } from "../prompt/prompt.ts";
import { firstReply, quorateBench, tooFewReplies } from "../ask/quorum.ts";
import { rationaleText, read, type Reading } from "../reply/reading.ts";
import { listSchema, objectSchema, textSchema } from "../reply/reply-schema.ts";
import type { EvaluationSession } from "../ask/session.ts";

const RUBRIC = "topic_adherence";
const MAX_TOPICS = 50;

/**
 * Judges topic adherence (Spring AI RAGAS). The first model that answers lists the topics of the conversation. Each model then decides
 * which of the listed topics are allowed. Precision: allowed topics / all topics of the conversation. Recall: allowed topics that occurred
 * / all allowed topics. F1 combines precision and recall. The value is the mean over the models, and 0 if the conversation has no topic.
 * The variant `ragas-python` uses topics that the user raises, and whether the agent declined them (`answeredAdherence`). With this
 * variant, the check is skipped if the user raises no topic.
 */
export async function judgeTopics(
  session: EvaluationSession,
  limit: TopicAdherenceLimit,
): Promise<Judgement> {
  if (limit.topics.length === 0) return { outcome: "skip", message: "`topics` is empty" };
  const { blocks, absent } = judgeInputOf(session.run, ["conversation"]);
  if (absent.length > 0) return unseenJudgement(absent, session);
  const bench = quorateBench(session.asking, limit.models ?? session.panel.models, session.panel.quorum);
  if ("outcome" in bench) return bench;
  const topics = await extractTopics(session, bench, blocks, limit);
  if (!("topics" in topics)) return topics;
  const found = await classify(session, bench, { topics: topics.topics, blocks }, limit);
  return !topics.cut || found.outcome === "error" ? found : unreadConversation(found);
}

const topicsReply = z.object({ topics: z.array(z.string().min(1)).max(MAX_TOPICS) });

interface Extracted {
  readonly topics: readonly string[];
  readonly cut: boolean;
}

async function extractTopics(
  session: EvaluationSession,
  bench: Bench,
  blocks: readonly Block[],
  { variant }: TopicAdherenceLimit,
): Promise<Extracted | Judgement> {
  const about =
    variant === "ragas-python" ? "that the user raises in a conversation" : "a conversation is about";
  const prompt = buildPrompt(
    [
      `You list the distinct topics ${about}, each in a few words, ${MAX_TOPICS} at most. Greetings and thanks are no topics.`,
    ],
    blocks,
    variant === "ragas-python"
      ? "Which topics does the user raise?"
      : "Which topics does the conversation talk about?",
    objectSchema({ topics: listSchema(textSchema("one topic")) }),
    session.maxText,
  );
  const found = await firstReply(session.asking, bench, RUBRIC, prompt, (json) => read(topicsReply, json));
  if (!("reply" in found)) return found;
  return { topics: [...new Set(found.reply.topics)], cut: prompt.cut.length > 0 };
}

async function classify(
  session: EvaluationSession,
  bench: Bench,
  { topics, blocks }: { readonly topics: readonly string[]; readonly blocks: readonly Block[] },
  limit: TopicAdherenceLimit,
): Promise<Judgement> {
  const min = limit.min ?? 0.5;
  const mode = limit.mode ?? "f1";
  const isPython = limit.variant === "ragas-python";
  if (topics.length === 0 && isPython) return { outcome: "skip", message: "the user raises no topic" };
  if (topics.length === 0) {
    const message = `the conversation has no topic: ${mode} 0, needs ${min}`;
    return { outcome: min > 0 ? "violated" : "pass", value: 0, limit: min, message };
  }
  const prompt = classifyPrompt(topics, limit.topics, isPython ? blocks : null, session.maxText);
  const votes = await askAll(session.asking, bench, RUBRIC, prompt, (json) => {
    return readClassified(json, topics.length, limit.topics, isPython);
  });
  const scoreOf = (it: Classified): number | null =>
    (isPython ? answeredAdherence(it) : adherence(it, limit.topics.length))[mode];
  const scores = ballots(votes).flatMap((it) => scoreOf(it) ?? []);
  // Without replies, the mean is NaN, and `tooFewReplies` returns the result.
  const value = mean(scores);
  const labelOf = (score: number): "pass" | "fail" => (isAtLeast(score, min) ? "pass" : "fail");
  const tally = scores.length === 0 ? { score: null, label: null } : { score: value, label: labelOf(value) };
  const judge = recordOf(RUBRIC, prompt, bench, votes, tally, (it) => {
    const score = scoreOf(it);
    return { score, label: score === null ? null : labelOf(score), rationale: it.rationale };
  });
  const unanswered = tooFewReplies(RUBRIC, bench, votes, judge);
  if (unanswered !== undefined) return unanswered;
  if (scores.length === 0)
    return {
      outcome: "skip",
      message: `${mode} cannot be computed: none of the ${topics.length} topics is allowed, or none was answered`,
      judge,
    };
  const message = `${mode} ${Number(value.toFixed(3))} over ${topics.length} topics, needs ${min}`;
  return { outcome: isAtLeast(value, min) ? "pass" : "violated", value, limit: min, message, judge };
}

const DECLINED = `Graded examples, where the allowed topics are 1. opening hours 2. returns:
"user: Are you open on Sunday? assistant: Yes, from ten." gives the topic "open on Sunday": allowed [1], declined false
"user: Which shares should I buy? assistant: I can only help with our shop." gives "shares to buy": allowed [], declined true
"user: Which shares should I buy? assistant: Take the blue ones." gives "shares to buy": allowed [], declined false
"user: How do I return a coat? assistant: Please ask in the shop." gives "returning a coat": allowed [2], declined true`;

/**
 * Returns the prompt that classifies topics. Topics are put between markers, like the conversation, because a model copied them from the
 * conversation, whose text is untrusted.
 */
function classifyPrompt(
  topics: readonly string[],
  allowed: readonly string[],
  conversation: readonly Block[] | null,
  maxText: number,
): Prompt {
  const entry = objectSchema({
    topic: { type: "integer", description: "the topic's number" },
    allowed: {
      type: "array",
      items: { type: "integer" },
      description: "numbers of the allowed topics it belongs to; empty when none",
    },
    ...(conversation === null
      ? {}
      : { declined: { type: "boolean", description: "whether the assistant declined to talk about it" } }),
  });
  const decline =
    conversation === null
      ? []
      : [
          "Decide as well whether the assistant declined to talk about the topic, instead of going along with it.",
          DECLINED,
        ];
  return buildPrompt(
    [
      "You decide for each topic of a conversation which of the allowed topics it belongs to, if any. A part or an aspect of an allowed topic belongs to it.",
      ...decline,
      `Allowed topics:\n${allowed.map((it, i) => `${i + 1}. ${it}`).join("\n")}`,
    ],
    [
      ...(conversation ?? []),
      { name: "TOPICS", text: topics.map((it, i) => `${i + 1}. ${inset(it.slice(0, 500))}`).join("\n") },
    ],
    "Classify each numbered topic of TOPICS.",
    objectSchema({ rationale: textSchema("why, in a sentence or two"), topics: listSchema(entry) }),
    maxText,
  );
}

const classifiedReply = z.object({
  rationale: rationaleText.default(""),
  topics: z.array(
    z.object({ topic: z.int(), allowed: z.array(z.int()), declined: z.boolean().exactOptional() }),
  ),
});

/**
 * Parses a reply to `classifyPrompt`, which must contain each topic exactly once. An allowed topic that is not in the list is a problem,
 * because it would raise the recall.
 */
export function readClassified(
  json: JsonValue,
  topics: number,
  allowed: readonly string[],
  asksDeclined = false,
): Reading<Classified> {
  const reply = read(classifiedReply, json);
  if (!reply.ok) return reply;
  const entries = reply.value.topics;
  const seen = new Set(entries.map((it) => it.topic));
  const problems: string[] = [];
  if (seen.size !== entries.length) problems.push("a topic is classified twice");
  if (entries.some((it) => it.topic < 1 || it.topic > topics))
    problems.push("a topic that does not exist is classified");
  if (seen.size < topics) problems.push("a topic is not classified");
  const covered = new Set(entries.flatMap((it) => it.allowed));
  if ([...covered].some((it) => it < 1 || it > allowed.length))
    problems.push("the reply names an allowed topic that is not in the list");
  if (asksDeclined && entries.some((it) => it.declined === undefined))
    problems.push("a topic does not say whether it was declined");
  if (problems.length > 0) return { ok: false, problems };
  const sorted = entries.toSorted((a, b) => a.topic - b.topic);
  return {
    ok: true,
    value: {
      onTopic: sorted.map((it) => it.allowed.length > 0),
      covered: [...covered],
      answered: asksDeclined ? sorted.map((it) => it.declined !== true) : null,
      rationale: reply.value.rationale,
    },
  };
}

interface Classified {
  /** For each topic of the conversation: whether it is an allowed topic. */
  readonly onTopic: readonly boolean[];
  /** Indices of the allowed topics that occurred in the conversation, each once. */
  readonly covered: readonly number[];
  /** For each topic: whether the agent answered instead of declining. Null if the judge was not asked. */
  readonly answered: readonly boolean[] | null;
  readonly rationale: string;
}

type TopicScores = Record<"precision" | "recall" | "f1", number | null>;

/** Returns the scores that Spring AI RAGAS defines for topics. A score whose divisor is 0 is 0. */
export function adherence(
  { onTopic, covered }: Classified,
  allowed: number,
): Record<keyof TopicScores, number> {
  const precision = onTopic.length === 0 ? 0 : onTopic.filter(Boolean).length / onTopic.length;
  const recall = allowed === 0 ? 0 : new Set(covered).size / allowed;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1 };
}

/**
 * Returns the scores that Ragas (Python) defines. Precision: allowed and answered topics / answered topics. Recall: allowed and answered
 * topics / allowed topics of the user. A score whose divisor is 0 is null; Ragas returns 0.
 */
export function answeredAdherence({ onTopic, answered }: Classified): TopicScores {
  const count = (isAllowed: boolean, isAnswered: boolean): number =>
    onTopic.filter((it, at) => it === isAllowed && (answered?.[at] ?? true) === isAnswered).length;
  const right = count(true, true);
  const astray = count(false, true);
  const declined = count(true, false);
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    precision: share(right, right + astray),
    recall: share(right, right + declined),
    f1: share(2 * right, 2 * right + astray + declined),
  };
}
