import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";
import { ask } from "../ask/ask.ts";
import { mean } from "../ask/ensemble.ts";
import type { Block } from "../prompt/fence.ts";
import { failedJudgement, type Judgement, unseenJudgement } from "../reply/judged-result.ts";
import type { TopicAdherenceLimit } from "../prompt/limits.ts";
import { judgeInputOf } from "../prompt/judge-input.ts";
import { askAll, ballots, type Bench, benchOf, failureOf, recordOf } from "../ask/panel.ts";
import { buildPrompt, type Prompt } from "../prompt/prompt.ts";
import { quorumOf, tooFewJudges, tooFewReplies } from "../ask/quorum.ts";
import { rationaleText, read, type Reading } from "../reply/reading.ts";
import { listSchema, objectSchema, textSchema } from "../reply/reply-schema.ts";
import type { EvaluationSession } from "../ask/session.ts";

const RUBRIC = "topic_adherence";
const MAX_TOPICS = 50;

export interface Classified {
  /** On topic or not, one for each topic of the conversation. */
  readonly onTopic: readonly boolean[];
  /** Places in the list of allowed topics that the conversation touched; each once. */
  readonly covered: readonly number[];
  readonly rationale: string;
}

/**
 * Topic adherence (Spring AI RAGAS): the first model that answers names the topics of the conversation, then each model says
 * which of them are allowed. precision = on topic / topics, recall = allowed topics touched / allowed topics, f1 of both; 0 when
 * the conversation has no topic. The value is the mean over the models.
 */
export async function judgeTopics(
  session: EvaluationSession,
  limit: TopicAdherenceLimit,
): Promise<Judgement> {
  if (limit.topics.length === 0) return { outcome: "skip", message: "no topics are written" };
  const { blocks, absent } = judgeInputOf(session.run, ["conversation"]);
  if (absent.length > 0) return unseenJudgement(absent, session.run);
  const models = limit.models ?? session.panel.models;
  const bench = benchOf(session.asking.port, models);
  const quorum = quorumOf(session.panel.quorum, models.length);
  const judgeSkipPolicy = tooFewJudges(bench, quorum);
  if (judgeSkipPolicy !== undefined) return judgeSkipPolicy;
  const topics = await extractTopics(session, bench, blocks);
  if (!("topics" in topics)) return topics;
  const found = await classify(session, bench, quorum, topics.topics, limit);
  if (!topics.cut || found.outcome === "error") return found;
  const message = `${found.message}; but the judge did not see the whole conversation`;
  return {
    ...found,
    outcome: "incomplete",
    message,
    missing: ["conversation"],
    remedy: "raise judge.max_text",
  };
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
): Promise<Extracted | Judgement> {
  const prompt = buildPrompt(
    [
      `You list the distinct topics a conversation is about, each in a few words, ${MAX_TOPICS} at most. Greetings and thanks are no topics.`,
    ],
    blocks,
    "Which topics does the conversation talk about?",
    objectSchema({ topics: listSchema(textSchema("one topic")) }),
    session.maxText,
  );
  const failures = [];
  for (const { model, sample } of bench.seats) {
    const answer = await ask(session.asking, model, sample, RUBRIC, prompt, (json) =>
      read(topicsReply, json),
    );
    if (answer.ok) return { topics: [...new Set(answer.value.topics)], cut: prompt.cut.length > 0 };
    failures.push({ model, answer });
  }
  const { errorType, message } = failureOf(failures);
  return failedJudgement(errorType, `topic_adherence could not be judged: ${message}`);
}

async function classify(
  session: EvaluationSession,
  bench: Bench,
  quorum: number,
  topics: readonly string[],
  limit: TopicAdherenceLimit,
): Promise<Judgement> {
  const min = limit.min ?? 0.5;
  const mode = limit.mode ?? "f1";
  if (topics.length === 0) {
    const message = `the conversation has no topic: ${mode} 0, needs ${min}`;
    return { outcome: min > 0 ? "violated" : "pass", value: 0, limit: min, message };
  }
  const prompt = classifyPrompt(topics, limit.topics, session.maxText);
  const votes = await askAll(session.asking, bench, RUBRIC, prompt, (json) => {
    return readClassified(json, topics.length, limit.topics);
  });
  const scoreOf = (it: Classified): number => adherence(it, limit.topics.length)[mode];
  const answers = ballots(votes);
  // Not a number without replies, which then count as too few.
  const value = mean(answers.map(scoreOf));
  const label = value >= min ? "pass" : "fail";
  const judge = recordOf(RUBRIC, prompt, bench, votes, { score: value, label }, (it) => {
    const score = scoreOf(it);
    return { score, label: score >= min ? "pass" : "fail", rationale: it.rationale };
  });
  const unanswered = tooFewReplies(RUBRIC, bench, quorum, votes, judge);
  if (unanswered !== undefined) return unanswered;
  const message = `${mode} ${Number(value.toFixed(3))} over ${topics.length} topics, needs ${min}`;
  return { outcome: value >= min ? "pass" : "violated", value, limit: min, message, judge };
}

/** The three scores of one classification; 0 where a division has nothing to divide by. */
export function adherence(
  { onTopic, covered }: Classified,
  allowed: number,
): Record<"precision" | "recall" | "f1", number> {
  const precision = onTopic.length === 0 ? 0 : onTopic.filter(Boolean).length / onTopic.length;
  const recall = allowed === 0 ? 0 : new Set(covered).size / allowed;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1 };
}

/** The topics came from a model that read the conversation: they are fenced like the conversation itself. */
function classifyPrompt(topics: readonly string[], allowed: readonly string[], maxText: number): Prompt {
  const entry = objectSchema({
    topic: { type: "integer", description: "the topic's number" },
    allowed: {
      type: "array",
      items: { type: "integer" },
      description: "numbers of the allowed topics it belongs to; empty when none",
    },
  });
  return buildPrompt(
    [
      "You decide for each topic of a conversation which of the allowed topics it belongs to, if any. A part or an aspect of an allowed topic belongs to it.",
      `Allowed topics:\n${allowed.map((it, i) => `${i + 1}. ${it}`).join("\n")}`,
    ],
    [{ name: "TOPICS", text: topics.map((it, i) => `${i + 1}. ${it.slice(0, 500)}`).join("\n") }],
    "Classify each numbered topic of TOPICS.",
    objectSchema({ rationale: textSchema("why, in a sentence or two"), topics: listSchema(entry) }),
    maxText,
  );
}

const classifiedReply = z.object({
  rationale: rationaleText.default(""),
  topics: z.array(z.object({ topic: z.int(), allowed: z.array(z.int()) })),
});

/** Every topic exactly once, and only allowed topics that exist: a model must not earn recall with topics it made up. */
export function readClassified(
  json: JsonValue,
  topics: number,
  allowed: readonly string[],
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
    problems.push("an allowed topic that does not exist is named");
  if (problems.length > 0) return { ok: false, problems };
  const onTopic = [...entries].sort((a, b) => a.topic - b.topic).map((it) => it.allowed.length > 0);
  return { ok: true, value: { onTopic, covered: [...covered], rationale: reply.value.rationale } };
}
