import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import type { JsonValue } from "../../../model/json.ts";
import { mean } from "../ask/ensemble.ts";
import { type Judgement, unreadConversation, unseenJudgement } from "../reply/judged-result.ts";
import type { GoalAccuracyLimit } from "../prompt/limits.ts";
import { judgeInputOf } from "../prompt/run-texts.ts";
import { askAll, ballots, type Bench, recordOf } from "../ask/panel.ts";
import { type Block, buildPrompt, type Prompt } from "../prompt/prompt.ts";
import { firstReply, quorateBench, tooFewReplies } from "../ask/quorum.ts";
import { rationaleText, read, type Reading } from "../reply/reading.ts";
import { objectSchema, textSchema } from "../reply/reply-schema.ts";
import type { EvaluationSession } from "../ask/session.ts";

const RUBRIC = "goal_accuracy";

/**
 * Judges agent goal accuracy (Spring AI RAGAS). Each model replies 1 if the goal was achieved, otherwise 0; the value is the mean. If the
 * spec has a reference, models compare the outcome with the reference; otherwise the first model that answers infers the goal.
 */
export async function judgeGoal(session: EvaluationSession, limit: GoalAccuracyLimit): Promise<Judgement> {
  const { reference, min, models } = normalised(limit);
  const { blocks, absent } = judgeInputOf(session.run, ["conversation"]);
  if (absent.length > 0) return unseenJudgement(absent, session);
  const bench = quorateBench(session.asking, models ?? session.panel.models, session.panel.quorum);
  if ("outcome" in bench) return bench;
  const goal = reference ?? (await inferGoal(session, bench, blocks));
  if (typeof goal !== "string") return goal;
  return askAchieved(session, bench, min, blocks, goal, reference !== undefined);
}

interface Goal {
  readonly reference: string | undefined;
  readonly min: number;
  readonly models: readonly string[] | undefined;
}

/** Returns the limit with its defaults. `with_reference` without a reference infers the goal, as in Spring AI RAGAS. */
function normalised(limit: GoalAccuracyLimit): Goal {
  if (typeof limit === "number") return { reference: undefined, min: limit, models: undefined };
  if (typeof limit === "string") return { reference: limit, min: 0.5, models: undefined };
  const reference = limit.mode === "without_reference" ? undefined : limit.reference;
  return { reference, min: limit.min ?? 0.5, models: limit.models };
}

const goalReply = z.object({ goal: rationaleText.refine((it) => it.trim() !== "") });

async function inferGoal(
  session: EvaluationSession,
  bench: Bench,
  blocks: readonly Block[],
): Promise<string | Judgement> {
  const prompt = buildPrompt(
    [
      "You read a conversation between a user and an AI agent and say what the user wanted to get done in the end.",
    ],
    blocks,
    "What was the user's goal?",
    objectSchema({ goal: textSchema("the user's goal, in one sentence") }),
    session.maxText,
  );
  const found = await firstReply(session.asking, bench, RUBRIC, prompt, (json) => read(goalReply, json));
  return "reply" in found ? found.reply.goal : found;
}

/** @param min minimum share of judges, from 0 to 1, that see the goal achieved */
async function askAchieved(
  session: EvaluationSession,
  bench: Bench,
  min: number,
  blocks: readonly Block[],
  goal: string,
  given: boolean,
): Promise<Judgement> {
  const prompt = achievedPrompt(blocks, goal, given, session.maxText);
  const votes = await askAll(session.asking, bench, RUBRIC, prompt, readAchieved);
  const answers = ballots(votes);
  // Without replies, the mean is NaN, and `tooFewReplies` returns the result.
  const value = mean(answers.map((it) => (it.achieved ? 1 : 0)));
  const label = isAtLeast(value, min) ? "pass" : "fail";
  const judge = recordOf(RUBRIC, prompt, bench, votes, { score: value, label }, (it) => ({
    score: it.achieved ? 1 : 0,
    label: it.achieved ? "pass" : "fail",
    rationale: it.rationale,
  }));
  const unanswered = tooFewReplies(RUBRIC, bench, votes, judge);
  if (unanswered !== undefined) return unanswered;
  const compared = given ? "the reference goal" : "the goal inferred from the conversation";
  const message = `${answers.filter((it) => it.achieved).length} of ${answers.length} judges see ${compared} achieved, needs a share of ${min}`;
  const found: Judgement = {
    outcome: isAtLeast(value, min) ? "pass" : "violated",
    value,
    limit: min,
    message,
    judge,
  };
  return prompt.cut.length === 0 ? found : unreadConversation(found);
}

function achievedPrompt(blocks: readonly Block[], goal: string, given: boolean, maxText: number): Prompt {
  const instructions = [
    "You decide whether an AI agent achieved a goal by the end of a conversation: what counts is what was done and told, not what was promised.",
  ];
  if (given) instructions.push(`The goal as it should have ended:\n${goal}`);
  const schema = objectSchema({
    rationale: textSchema("why, in a few sentences"),
    achieved: { type: "boolean", description: "whether the goal was achieved" },
  });
  const shown = given ? blocks : [{ name: "GOAL", text: goal }, ...blocks];
  const question = given ? "Was the goal achieved?" : "Was the goal named in GOAL achieved?";
  return buildPrompt(instructions, shown, question, schema, maxText);
}

interface Achieved {
  readonly achieved: boolean;
  readonly rationale: string;
}

const achievedReply = z.object({
  achieved: z.boolean().exactOptional(),
  label: z.enum(["pass", "fail"]).exactOptional(),
  rationale: rationaleText.default(""),
});

/** Parses `achieved` of a reply. Some models send `label: pass | fail` instead of `achieved`, which is also accepted. */
function readAchieved(json: JsonValue): Reading<Achieved> {
  const reply = read(achievedReply, json);
  if (!reply.ok) return reply;
  const { achieved, label, rationale } = reply.value;
  const isAchieved = achieved ?? (label === undefined ? undefined : label === "pass");
  if (isAchieved === undefined) return { ok: false, problems: ["achieved is missing"] };
  return { ok: true, value: { achieved: isAchieved, rationale } };
}
