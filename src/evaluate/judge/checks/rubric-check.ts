import type { JsonValue } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { JudgeVote } from "../../../model/verdict.ts";
import { remedyFor } from "../../result/remedies.ts";
import { criteriaPrompt, readCriteria } from "../prompt/criteria.ts";
import { tally, type Tally } from "../ask/ensemble.ts";
import type { Block } from "../prompt/fence.ts";
import { failedJudgement, type Judgement, unseenJudgement } from "../reply/judged-result.ts";
import { judgeInputOf } from "../prompt/judge-input.ts";
import { askPanel, ballots, benchOf, recordOf } from "../ask/panel.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { quorumOf, tooFewJudges, tooFewReplies } from "../ask/quorum.ts";
import type { Rubric } from "../prompt/rubric.ts";
import { readScored, type Scored, scoredPrompt } from "../reply/scored.ts";
import type { EvaluationSession } from "../ask/session.ts";
import { singlePanel } from "../settings.ts";
import { mapThreshold } from "../reply/threshold.ts";

/** Judges one run by one rubric. */
export async function judgeRubric(session: EvaluationSession, rubric: Rubric): Promise<Judgement> {
  const context = rubric.contextFile === null ? undefined : session.contextFile(rubric.contextFile);
  if (rubric.contextFile !== null && context === undefined)
    return {
      ...failedJudgement("internal", `the context file ${rubric.contextFile} could not be read`),
      remedy: "put the file beside the spec, or correct context_file",
    };
  const judgeInput = judgeInputOf(session.run, rubric.inputs, context);
  const unseen = judgeInput.absent.filter((it) => rubric.needs.includes(it));
  if (unseen.length > 0) return unseenJudgement(unseen, session.run);
  const gaps = [
    ...judgeInput.gaps,
    ...judgeInput.absent.filter((it) => it === "tools" || it === "retrievals"),
  ];
  return judgeBlocks(session, rubric, judgeInput.blocks, gaps);
}

/**
 * Judges any text by a rubric: `blocks` is what the judge sees, `gaps` what it should have seen and could not.
 */
export async function judgeBlocks(
  session: EvaluationSession,
  rubric: Rubric,
  blocks: readonly Block[],
  gaps: readonly string[],
): Promise<Judgement> {
  const { asking, maxText } = session;
  const panel = rubric.model === null ? session.panel : singlePanel(rubric.model);
  const bench = benchOf(asking.port, panel.models);
  const quorum = quorumOf(panel.quorum, panel.models.length);
  const judgeSkipPolicy = tooFewJudges(bench, quorum);
  if (judgeSkipPolicy !== undefined) return judgeSkipPolicy;
  const byCriteria = rubric.criteria.length > 0;
  const makePrompt = byCriteria ? criteriaPrompt : scoredPrompt;
  const prompt = makePrompt(rubric, blocks, panel.strategy === "consensus", maxText);
  const reader = byCriteria ? (json: JsonValue) => readCriteria(rubric, json) : readScored;
  const votes = await askPanel(asking, bench, panel, rubric.id, prompt, reader, byCriteria ? 1 : 4);
  const answers = ballots(votes);
  const limit = byCriteria ? rubric.threshold : mapThreshold(rubric.threshold);
  const counted = tally(answers, panel.strategy, limit);
  const judge = recordOf(rubric.id, prompt, bench, votes, counted, describe);
  const unanswered = tooFewReplies(rubric.id, bench, quorum, votes, judge);
  if (unanswered !== undefined) return unanswered;
  const soft =
    rubric.blocking === "only-if-audited" && session.judges.audited?.(rubric.id, panel.models) !== true;
  const found: Judgement = {
    outcome: counted.passed ? "pass" : "violated",
    ...(byCriteria ? { metric: "impl_rate" } : {}),
    value: counted.score,
    limit,
    message: messageOf(rubric, counted, limit, answers),
    judge,
    soft,
  };
  if (counted.score === null)
    return { ...found, outcome: "skip", message: `${rubric.id}: no criterion applies` };
  return doubted(found, rubric, prompt, gaps, session.run);
}

function describe(value: Scored): Pick<JudgeVote, "score" | "label" | "rationale"> {
  return { score: value.score, label: value.label, rationale: value.rationale };
}

/** Rule and numbers only: neither the answer's text nor the judge's words belong in a message. */
function messageOf(rubric: Rubric, counted: Tally, limit: number, answers: readonly Scored[]): string {
  const score = Number((counted.score ?? 0).toFixed(3));
  const needs = rubric.criteria.length > 0 ? `${limit}` : `${limit} of 5 (threshold ${rubric.threshold})`;
  const parts = [`${rubric.id}: scored ${score}, needs ${needs}`];
  if (answers.length > 1) parts.push(`${answers.length} judges, majority ${counted.label}`);
  const claims = answers.find((it) => it.claims !== null)?.claims;
  if (claims != null) parts.push(`${claims.unsupported} of ${claims.checked} claims unsupported`);
  if (answers.length === 1 && contradicts(counted))
    parts.push(`the judge's label ${counted.label} does not decide`);
  return parts.join("; ");
}

function contradicts({ label, passed }: Tally): boolean {
  return label === (passed ? "fail" : "pass");
}

const evidence: ReadonlySet<string> = new Set(["TOOLS", "RETRIEVALS", "REFERENCE"]);

/**
 * A verdict on less than the whole is no verdict. A pass is in doubt when something was not seen; where claims are looked up
 * in evidence it is the other way round for the evidence: what is missing there can only turn a miss into a pass.
 */
function doubted(
  found: Judgement,
  rubric: Rubric,
  prompt: Prompt,
  gaps: readonly string[],
  run: AgentRun,
): Judgement {
  const passed = found.outcome === "pass";
  const unread = (names: readonly string[]): string[] =>
    names.map((it) => `the whole of ${it.toLowerCase()}`);
  const unreadEvidence = [...unread(prompt.cut.filter((it) => evidence.has(it))), ...gaps];
  const unreadRest = unread(prompt.cut.filter((it) => !evidence.has(it)));
  const missing = [...(passed ? unreadRest : []), ...(rubric.claims !== passed ? unreadEvidence : [])];
  if (missing.length === 0) return found;
  const seen = passed ? "would pass" : "would not pass";
  return {
    ...found,
    outcome: "incomplete",
    message: `${found.message}; ${seen}, but the judge did not see ${missing.join(", ")}`,
    remedy: gaps.length > 0 ? remedyFor("tool_results", run) : "raise judge.max_text",
    missing,
  };
}
