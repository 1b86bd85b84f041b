import { checksOf } from "../../../model/outcome.ts";
import type { Config } from "../../../config/config.ts";
import type { JudgeMode } from "../../../judge/settings.ts";
import type { UserCheckRefusal } from "../../../judge/user-checks/open-user-checks.ts";
import { runStatus } from "../../../evaluate/checks/correctness/run-status.ts";
import { evaluateQuery } from "../../../evaluate/evaluate.ts";
import { withVariables } from "../../../evaluate/rules/variables.ts";
import { capturesOf } from "../../../match/rules/variables.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { JudgedRun } from "../../../pipeline/judge-run.ts";
import { printable } from "../../../report/render/terminal/printable.ts";
import type { CompiledQuery, CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { judgeDumps } from "../../../replay/judging/preparing.ts";
import { type Io, UserError } from "../../../support/process/io.ts";
import { parseSpec } from "../../../config/command-settings.ts";
import { type Draft, type DraftExtras, noExtras } from "./promotion.ts";

/** Fixture and settings with which drafts of a test are tried. */
export interface Trial {
  readonly dump: string;
  readonly runId: string;
  readonly spec: CompiledSpec;
  /** A correct run that the test must not fail. Undefined if there is no correct run. */
  readonly like: AgentRun | undefined;
  readonly config: Config;
  readonly mode: JudgeMode | undefined;
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
  readonly io: Io;
}

export interface Tried {
  readonly verdict: Verdict;
  readonly extras: DraftExtras;
}

/**
 * Tries a draft, and changes it until the run fails it. A draft without expectations gets `run_status: ok` if the run ended in an error,
 * otherwise a `todo` to be completed by the user.
 * @throws UserError if the run passes, only warns or is undecided
 */
export async function failingTest(draft: Draft, trial: Trial): Promise<Tried> {
  let tried = await tryDraft(draft, noExtras, trial);
  const warned = tried.verdict.layers.path.checks.filter(
    ({ outcome, waiver }) => outcome === "warn" && !waiver,
  );
  if (!fails(tried.verdict) && warned.length > 0) {
    const failing = warned.map(({ check }) => check).filter((key) => !key.startsWith("checks."));
    tried = await tryDraft(draft, { ...noExtras, failing }, trial);
  }
  // A run that ended in an error fails even a query without expectations. The query then gets an explicit `run_status`, so that a reader
  // sees why the run fails.
  if (draft.isEmpty && failsByStatus(tried.verdict))
    return tryDraft(draft, { ...noExtras, isAboutStatus: true }, trial);
  if (fails(tried.verdict)) return tried;
  if (draft.isEmpty) return tryDraft(draft, { ...noExtras, isTodo: true }, trial);
  throw refusal(tried.verdict);
}

/** Whether the run fails its test, even if the spec expects the failure. */
function fails({ outcome, expectedFail }: Verdict): boolean {
  return expectedFail === true ? outcome === "warn" : outcome === "fail";
}

function failsByStatus({ layers: { correctness } }: Verdict): boolean {
  return correctness.checks.some(({ check, outcome }) => check === "run_status" && outcome === "fail");
}

async function tryDraft(
  draft: Draft,
  extras: DraftExtras,
  { dump, runId, spec, like, config, mode, userCheckRefusal, io }: Trial,
): Promise<Tried> {
  const loaded = parseSpec({ file: spec.file, text: draft.specText(extras) }, config);
  if (!loaded.ok) {
    const [problem] = loaded.problems.filter(({ severity }) => severity === "error");
    throw new UserError(
      `${spec.file} would not be valid with the promoted query: ${problem?.message ?? ""}`,
      "nothing was written; change the spec or the options",
    );
  }
  let found: JudgedRun | undefined;
  await judgeDumps({
    dumps: [dump],
    config,
    specs: [loaded.spec],
    mode,
    userCheckRefusal,
    onJudged: (judged) => {
      if (judged.run.runId === runId) found = judged;
    },
    io,
  });
  const verdict = found?.verdicts.find(({ queryId }) => queryId === draft.id);
  if (verdict !== undefined) {
    const query = loaded.spec.queries.find(({ id }) => id === draft.id);
    if (like !== undefined && query !== undefined) refuseFailing(like, query);
    return { verdict, extras };
  }
  const why = found?.unmatched[0]?.reason ?? found?.ambiguous[0]?.reason ?? "another query matches the run";
  throw new UserError(`the promoted query ${draft.id} does not match the run: ${why}`, "nothing was written");
}

/**
 * Checks that a correct run does not fail the query.
 * @throws UserError if the run fails the query
 */
function refuseFailing(like: AgentRun, query: CompiledQuery): void {
  const tried = evaluateQuery(like, withVariables(query, capturesOf(query, like.query)), {
    reference: { missing: "not-asked", version: null },
    judge: "off",
  });
  if (tried.outcome !== "fail") return;
  const failed = checksOf(tried).filter((check) => check.outcome === "fail");
  throw new UserError(
    `run ${like.runId} of --like fails the new test, too, so nothing was written: ${failed.map(({ check, message }) => `${check}: ${printable(message, 200)}`).join("; ")}`,
    "name another good run, or change what the options or the matched query expect",
  );
}

function refusal(verdict: Verdict): UserError {
  const checks = checksOf(verdict);
  const having = (outcome: Verdict["outcome"]): string =>
    checks
      .filter((check) => check.outcome === outcome && check.check !== runStatus.key)
      .map(({ check, message }) => `${check}: ${printable(message, 200)}`)
      .join("; ");
  if (verdict.outcome === "incomplete" || verdict.outcome === "error") {
    const [remedy = ""] = checks.flatMap(({ remedy }) => remedy ?? []);
    return new UserError(
      `whether the run fails its new test is unknown, so nothing was written: ${having(verdict.outcome)}`,
      remedy,
    );
  }
  const say =
    "describe what a correct run does and this run did not: --like GOOD, --expect-tools, --expect-sequence, --forbid, --answer or --max-calls";
  if (verdict.outcome === "warn" && verdict.expectedFail !== true) {
    return new UserError(
      `the run only warns in its new test, so nothing was written: ${having("warn")}`,
      `${say}, or set the check's \`severity\` to \`fail\` in the spec`,
    );
  }
  const held = having("pass");
  return new UserError(
    `the run passes its new test, so nothing was written: ${held === "" ? "no check applies to the run" : held}`,
    say,
  );
}
