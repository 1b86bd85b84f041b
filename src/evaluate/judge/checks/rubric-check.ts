import type { JsonValue } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { JudgeRecord, JudgeVote } from "../../../model/verdict.ts";
import { remedyFor } from "../../result/remedies.ts";
import { criteriaPrompt, readCriteria } from "../prompt/criteria.ts";
import { type Tally, tally } from "../ask/ensemble.ts";
import { failedJudgement, type Judgement, unseenJudgement } from "../reply/judged-result.ts";
import { askPanel, ballots, recordOf } from "../ask/panel.ts";
import type { Block, Prompt } from "../prompt/prompt.ts";
import { quorateBench, tooFewReplies } from "../ask/quorum.ts";
import { metricOfRubric, type Rubric } from "../prompt/rubric.ts";
import { eachPrompt, MOST_ITEMS, readEach } from "../prompt/each.ts";
import type { ItemKind } from "../prompt/item-kinds.ts";
import { countReplies, judgeInputOf, retrievalOfDocuments, usedTools } from "../prompt/run-texts.ts";
import { asRetrieved, nothingToJudge } from "./nothing-to-judge.ts";
import { count } from "../../rules/text.ts";
import type { Reading } from "../reply/reading.ts";
import { readScored, type Scored, scoredPrompt } from "../reply/scored.ts";
import type { EvaluationSession } from "../ask/session.ts";
import { type Panel, singlePanel } from "../settings.ts";
import { mapThreshold } from "../reply/threshold.ts";
import { type Answer, ask } from "../ask/ask.ts";
import { surenessOf } from "../ask/sureness.ts";

export async function judgeRubric(session: EvaluationSession, rubric: Rubric): Promise<Judgement> {
  const context = rubric.contextFile === null ? undefined : session.contextFile(rubric.contextFile);
  if (rubric.contextFile !== null && context === undefined)
    return {
      ...failedJudgement("internal", `the context file ${rubric.contextFile} could not be read`),
      remedy: "move the file next to the spec, or correct context_file",
    };
  const reference = [context, rubric.reference].flatMap((it) => it ?? []);
  if (reference.length === 0 && rubric.needsReference) return withoutReference(rubric);
  const run = asRetrieved(session, rubric);
  const nothing = nothingToJudge(rubric, run);
  if (nothing !== undefined) return nothing;
  const judgeInput = judgeInputOf(
    run,
    rubric.inputs,
    reference.length === 0 ? undefined : reference.join("\n\n"),
  );
  const unseen = judgeInput.absent.filter(
    (it) => rubric.needs.includes(it) && !(it === "instructions" && reference.length > 0),
  );
  if (unseen.length > 0) return unseenJudgement(unseen, { ...session, run });
  const items = itemsOf(rubric, run);
  if (items !== null && items.length > MOST_ITEMS) return tooMany(rubric, items.length);
  const gaps = [
    ...judgeInput.gaps,
    ...judgeInput.absent.filter((it) => it === "tools" || it === "retrievals"),
  ];
  return judgeBlocks(session, rubric, judgeInput.blocks, gaps, items);
}

function withoutReference({ id }: Rubric): Judgement {
  return {
    outcome: "incomplete",
    message: `not judged: ${id} compares with a reference, and the spec has none`,
    missing: ["reference"],
    remedy: `write \`reference: TEXT\` (or \`context_file\`) next to \`rubric: ${id}\``,
  };
}

function tooMany({ id }: Rubric, items: number): Judgement {
  return {
    outcome: "incomplete",
    message: `not judged: ${id} judges at most ${MOST_ITEMS} items, and the run has ${items}`,
    missing: ["judge"],
    remedy: "use a rubric that judges the run as a whole: this one judges each tool call, turn or document",
  };
}

/**
 * Returns for each numbered item of a rubric the index of its list, such as the retrieval of a document. Null for claims, and for rubrics
 * without items.
 */
function itemsOf({ each }: Rubric, run: AgentRun): readonly number[] | null {
  if (each === null || each.item === "claim") return null;
  if (each.item === "document") return retrievalOfDocuments(run);
  const count = each.item === "turn" ? countReplies(run) : usedTools(run).length;
  return Array.from({ length: count }, () => 0);
}

/**
 * Judges texts by a rubric.
 * @param blocks texts for the judge
 * @param gaps descriptions of missing texts
 */
export async function judgeBlocks(
  session: EvaluationSession,
  rubric: Rubric,
  blocks: readonly Block[],
  gaps: readonly string[],
  items: readonly number[] | null = null,
): Promise<Judgement> {
  const { asking, maxText } = session;
  const metric = metricOfRubric(rubric);
  const wanted = rubric.model === null ? session.panel : singlePanel(rubric.model);
  const { prompt, reader } = questionOf(rubric, blocks, items, wanted.strategy === "consensus", maxText);
  const limit = metric === undefined ? mapThreshold(rubric.threshold) : rubric.threshold;
  const { panel, record: first, answer } = await firstOpinion(session, rubric, wanted, prompt, reader, limit);
  const bench = quorateBench(asking, panel.models, panel.quorum);
  if ("outcome" in bench) return bench;
  const votes =
    answer === undefined
      ? await askPanel(asking, bench, panel, rubric.id, prompt, reader, metric === undefined ? 4 : 1)
      : panel.models.map((model) => ({ model, answer }));
  const answers = ballots(votes);
  const counted = tally(answers, panel.strategy, limit);
  const judge = { ...recordOf(rubric.id, prompt, bench, votes, counted, describe), first };
  const unanswered = tooFewReplies(rubric.id, bench, votes, judge);
  if (unanswered !== undefined) return unanswered;
  const soft =
    rubric.blocking === "only-if-audited" && session.judges.audited?.(rubric, panel.models) !== true;
  const found: Judgement = {
    outcome: counted.passed ? "pass" : "violated",
    ...(metric === undefined ? {} : { metric }),
    value: counted.score,
    limit,
    message: [messageOf(rubric, counted, limit, answers), ...firstSaid(first)].join("; "),
    judge,
    soft,
  };
  if (counted.score === null)
    return { ...found, outcome: "skip", message: `${rubric.id}: ${inapplicable(rubric)}` };
  return doubted(found, rubric, prompt, gaps, session.run);
}

interface Question {
  readonly prompt: Prompt;
  readonly reader: (json: JsonValue) => Reading<Scored>;
}

function questionOf(
  rubric: Rubric,
  blocks: readonly Block[],
  items: readonly number[] | null,
  confidence: boolean,
  maxText: number,
): Question {
  const { each, criteria } = rubric;
  if (criteria.length > 0)
    return {
      prompt: criteriaPrompt(rubric, blocks, confidence, maxText),
      reader: (json) => readCriteria(rubric, json),
    };
  if (each !== null)
    return {
      prompt: eachPrompt(rubric, each, blocks, confidence, maxText),
      reader: (json) => readEach(rubric, each, items, json),
    };
  return {
    prompt: scoredPrompt(rubric, blocks, confidence, maxText),
    reader: (json) => readScored(rubric, json),
  };
}

function inapplicable({ criteria, each, skipWhen }: Rubric): string {
  if (criteria.length > 0) return "no criterion applies";
  if (each?.item === "claim") return "the answer has no claim to check";
  return `does not apply: ${skipWhen ?? "nothing to decide"}`;
}

function describe(value: Scored): Pick<JudgeVote, "score" | "label" | "rationale"> {
  return { score: value.score, label: value.label, rationale: value.rationale };
}

/** Returns the message of a finding: rule and numbers, without text of the answer or the judge. */
function messageOf(rubric: Rubric, counted: Tally, limit: number, answers: readonly Scored[]): string {
  const score = Number((counted.score ?? 0).toFixed(3));
  const needs =
    metricOfRubric(rubric) === undefined ? `${limit} of 5 (threshold ${rubric.threshold})` : `${limit}`;
  const parts = [`${rubric.id}: scored ${score}, needs ${needs}`];
  if (answers.length > 1) parts.push(`${answers.length} judges, majority ${counted.label}`);
  const [items] = answers.flatMap((it) => it.items ?? []);
  if (items !== undefined)
    parts.push(`${items.held} of ${count(items.counted, itemNames[rubric.each?.item ?? "claim"])}`);
  const claims = answers.find((it) => it.claims !== null)?.claims;
  if (claims != null) parts.push(`${claims.unsupported} of ${claims.checked} claims unsupported`);
  if (answers.length === 1 && contradicts(counted))
    parts.push(`the score decides, not the judge's label ${counted.label}`);
  return parts.join("; ");
}

function firstSaid(first: JudgeRecord["first"]): readonly string[] {
  if (first === undefined) return [];
  if (first.decided) return [`decided by ${first.model} alone (${first.why})`];
  return [`${first.model} was not sure (${first.why})`];
}

const itemNames: Readonly<Record<ItemKind, string>> = {
  tool_call: "tool call",
  turn: "turn",
  document: "document",
  claim: "claim",
};

function contradicts({ label, passed }: Tally): boolean {
  return label === (passed ? "fail" : "pass");
}

const evidence: ReadonlySet<string> = new Set(["TOOLS", "RETRIEVALS", "REFERENCE", "DOCUMENTS"]);

function isLookedUp({ claims, each }: Rubric): boolean {
  return claims || each?.item === "claim";
}

/**
 * Makes the finding `incomplete` if content that the judge did not see could change the outcome. If claims are looked up in evidence, more
 * evidence can only turn a failure into a pass, and more claims can only turn a pass into a failure.
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
  const isLookup = isLookedUp(rubric);
  const missing = [...(isLookup && !passed ? [] : unreadRest), ...(isLookup && passed ? [] : unreadEvidence)];
  if (missing.length === 0) return found;
  const seen = passed ? "the rubric would pass" : "the rubric would not pass";
  return {
    ...found,
    outcome: "incomplete",
    message: `${found.message}; ${seen}, but the judge did not see ${missing.join(", ")}`,
    remedy: gaps.length > 0 ? remedyFor(gapOf(rubric), run) : "raise judge.max_text",
    missing,
  };
}

/** Returns the field of the run that has the rubric's evidence. */
function gapOf({ each, inputs }: Rubric): string {
  if (each?.item === "tool_call") return "tool_arguments";
  if (each !== null && (inputs.includes("retrievals") || inputs.includes("documents"))) return "retrievals";
  return inputs.includes("steps") ? "messages" : "tool_results";
}

interface FirstOpinion {
  /** Panel that decides: the first model alone if it is sure, otherwise the judges of the rubric. */
  readonly panel: Panel;
  /** Reply of the first model, for the verdict; undefined without a reply. */
  readonly record: JudgeRecord["first"];
  /** Answer of the first model if it is sure; otherwise undefined. */
  readonly answer: Answer<Scored> | undefined;
}

/**
 * Asks the first model of a cascade (`judge_config.cascade.first`), if configured. The first model is ignored if its call fails, its reply
 * is unusable, or it is also one of the judges.
 */
async function firstOpinion(
  session: EvaluationSession,
  rubric: Rubric,
  panel: Panel,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<Scored>,
  limit: number,
): Promise<FirstOpinion> {
  const { asking, judges, cascade } = session;
  const none: FirstOpinion = { panel, record: undefined, answer: undefined };
  if (cascade === null || panel.models.includes(cascade.first)) return none;
  if (asking.port.unavailable(cascade.first) !== null) return none;
  const { first, trust } = cascade;
  const answer = await ask(asking, first, 0, rubric.id, prompt, reader);
  if (!answer.ok) return none;
  const { score, label } = answer.value;
  const { isSure, why } = surenessOf(
    answer.value,
    limit,
    metricOfRubric(rubric) !== undefined,
    judges.calibration?.(rubric, first) ?? [],
    trust,
  );
  const record = { model: first, score, label, decided: isSure, why };
  if (!answer.cached) judges.onCascade?.({ first, usage: answer.usage, spared: isSure ? panel.models : [] });
  return isSure ? { panel: singlePanel(first), record, answer } : { panel, record, answer: undefined };
}
