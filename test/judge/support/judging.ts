import { evaluateWithJudges } from "../../../src/evaluate/evaluate-with-judges.ts";
import type { Evaluation } from "../../../src/evaluate/evaluate.ts";
import { judgeQuery } from "../../../src/evaluate/judge/ask/stages.ts";
import type { JudgePort } from "../../../src/evaluate/judge/ask/port.ts";
import type { Judges } from "../../../src/evaluate/judge/ask/session.ts";
import type { JudgeSettings } from "../../../src/evaluate/judge/settings.ts";
import type { JsonValue } from "../../../src/model/json.ts";
import type { CompiledSpec } from "../../../src/evaluate/query/compiled.ts";
import type { Message } from "../../../src/model/message.ts";
import type { AgentRun } from "../../../src/model/run.ts";
import type { CheckResult } from "../../../src/model/verdict.ts";
import { loadRubrics, ownRubricFolder } from "../../../src/judge/files/rubric-files.ts";
import { notAsked, queryIn } from "../../support/evaluation-of.ts";
import { queryOf } from "../../support/query-of.ts";
import { runOf } from "../../support/run-of.ts";

const { rubrics } = await loadRubrics([ownRubricFolder()]);

export function judgesOf(port: JudgePort, more: Partial<Judges> = {}): Judges {
  return { port, defaultModel: "openai/judge-1", rubrics, sampleEnsemble: null, ...more };
}

export interface JudgingText {
  readonly port: JudgePort;
  readonly correctness: Readonly<Record<string, JsonValue>>;
  readonly run?: AgentRun;
  readonly settings?: JudgeSettings;
  readonly judges?: Partial<Judges>;
  readonly deterministic?: readonly CheckResult[];
  readonly files?: Readonly<Record<string, string>>;
  readonly severity?: Readonly<Record<string, "fail" | "warn">>;
  readonly signal?: AbortSignal;
}

/** Judges a run by the correctness keys as a spec writes them. */
export function judging(text: JudgingText): Promise<CheckResult[]> {
  const { port, correctness, severity, signal } = text;
  return judgeQuery({
    run: text.run ?? runOf(),
    query: queryOf({ correctness, ...(severity === undefined ? {} : { severity }) }),
    deterministic: text.deterministic ?? [],
    judges: judgesOf(port, text.judges),
    spec: { settings: text.settings ?? {}, contextFile: (path) => text.files?.[path] },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The only result, for queries that have one. */
export async function judgedOnce(text: JudgingText): Promise<CheckResult> {
  const [first, ...others] = await judging(text);
  if (first === undefined || others.length > 0)
    throw new Error(`expected one result, got ${others.length + 1}`);
  return first;
}

/** Evaluates a run by the only query of a spec. */
export function evaluatedBy(
  spec: CompiledSpec,
  port: JudgePort,
  run: AgentRun,
  more: Partial<Parameters<typeof evaluateWithJudges>[2]> = {},
): Promise<Evaluation> {
  return evaluateWithJudges(run, queryIn(spec), {
    reference: notAsked,
    judges: judgesOf(port),
    judgeSkipPolicy: { judge: "incomplete" },
    spec: { settings: {}, contextFile: () => undefined },
    compiled: spec,
    ...more,
  });
}

/** A message of a run that is a text. */
export function message(role: Message["role"], text: string): Message {
  return { role, name: null, text, calls: [], results: [] };
}
