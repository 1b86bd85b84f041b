import { snakeCased } from "../../../../report/json/snake-case.ts";
import { printReport } from "../../../../replay/reports/print-report.ts";
import { readFileSync } from "node:fs";
import { checksOf } from "../../../../model/outcome.ts";
import {
  type AuditedRubric,
  type AuditItem,
  auditJudges,
} from "../../../../evaluate/judge/audit/audit-run.ts";
import { labelOf, readLabels } from "../../../../evaluate/judge/audit/labels.ts";
import { createJudgeRun } from "../../../../pipeline/judge-run.ts";
import type { CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { version } from "../../../../support/process/version.ts";
import { openJudging } from "../../../../replay/judging/judging.ts";
import { conversationIdle } from "../../../../replay/judging/conversation-idle.ts";
import { replayJudged } from "../../../../replay/judging/replay-judged.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../../../config/command-settings.ts";
import { replayIo, writeInvalid } from "../../../../replay/replay.ts";

export interface JudgeAuditOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly repeats: number;
  readonly labels?: string;
  readonly probes?: boolean;
  readonly format: "console" | "json";
}

/**
 * Judges recorded answers several times by each rubric, and reports how reliable the judges are. Returns exit code 1 if a judge is
 * unreliable; one false pass is enough. Returns 2 if a judge gave no reply or its labels cannot be checked, if a label belongs to no judged run,
 * if input is unreadable, or if there is nothing to audit. The cache of judge replies is
 * not used, because it would give the same reply each time.
 */
export async function judgeAudit(
  dumps: readonly string[],
  options: JudgeAuditOptions,
  io: Io,
): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const judging = await openJudging({
    config: { ...config, judge: { ...config.judge, cache: null } },
    mode: "required",
    specs,
    sampleEnsemble: null,
    env: io.env,
  });
  const { asking } = judging;
  if (asking === undefined)
    throw new UserError("no query of these specs uses a judge, so there is nothing to audit");
  const { items, isWhole } = await itemsOf(dumps, specs, options, { config, io });
  const audited = await Promise.all(
    specs.flatMap((spec) =>
      auditedModels(spec).map((only) =>
        auditJudges({
          items: items.get(spec.name) ?? [],
          judges: asking.judges,
          spec: asking.judgingOf(spec),
          repeats: options.repeats,
          probes: options.probes === true,
          ...(only === null ? {} : { onlyModel: only }),
        }),
      ),
    ),
  );
  await judging.close();
  const rubrics = audited.flat();
  await printReport(io, options.format, {
    json: () => ({
      format_version: 1,
      rubrics: rubrics.map((rubric) => {
        const { confusion: _, ...others } = rubric;
        return snakeCased(others);
      }),
    }),
    console: () => text(rubrics),
  });
  return exitCode(rubrics, isWhole);
}

/**
 * Returns the judges of a spec, each of which is audited separately: the spec's judge (null), and if there is a cascade, its first model.
 */
function auditedModels({ judgeConfig: { cascade } }: CompiledSpec): readonly (string | null)[] {
  return cascade === undefined ? [null] : [null, cascade.first];
}

interface Items {
  readonly items: ReadonlyMap<string, readonly AuditItem[]>;
  /** False if input is unreadable, or a label belongs to no judged run. */
  readonly isWhole: boolean;
}

/** Returns the runs that match queries of a spec, together with the results of their checks without a judge, and human labels. */
async function itemsOf(
  dumps: readonly string[],
  specs: readonly CompiledSpec[],
  { labels: file }: JudgeAuditOptions,
  { config, io }: { config: Awaited<ReturnType<typeof loadSettings>>["config"]; io: Io },
): Promise<Items> {
  const labels = file === undefined ? new Map<string, never>() : labelsIn(file);
  const items = new Map<string, AuditItem[]>(specs.map(({ name }) => [name, []]));
  const named = new Set<string>();
  const { invalid } = await replayJudged(dumps, {
    config,
    ...replayIo(io),
    conversationIdleMs: conversationIdle(specs, config),
    judge: createJudgeRun({ specs, judgeSkipPolicy: { judge: "off" }, engine: version }),
    onJudged: ({ run, verdicts, matched }) => {
      for (const [at, { spec, layers, verdictId, queryId }] of verdicts.entries()) {
        const query = matched[at];
        if (query === undefined) continue;
        const label = labelOf(labels, run.runId, queryId, run.query);
        for (const key of [run.runId, queryId, run.query ?? ""]) named.add(key);
        const checks = checksOf({ layers });
        const deterministic = checks.filter(({ judge }) => judge === null);
        items.get(spec)?.push({ id: verdictId, run, query, deterministic, label });
      }
    },
  });
  await writeInvalid(io, invalid, "warning: ");
  const stray = [...labels.keys()].filter((key) => !named.has(key));
  for (const key of stray)
    await write(
      io.stderr,
      `warning: ${file ?? ""}: no judged run has the id, query id or query text ${JSON.stringify(key)}\n`,
    );
  return { items, isWhole: invalid.length === 0 && stray.length === 0 };
}

function labelsIn(file: string): ReadonlyMap<string, "pass" | "fail"> {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch {
    throw new UserError(`${file} cannot be read`);
  }
  const read = readLabels(source);
  if (!read.ok)
    throw new UserError(`${file}: ${read.problem}`, "write lines such as `run or query id: pass`");
  return read.labels;
}

function text(rubrics: readonly AuditedRubric[]): string {
  if (rubrics.length === 0)
    return "no recorded run matches a query with a rubric, so there is nothing to audit\n";
  const lines = rubrics.flatMap((it) => [
    `${it.rubric} by ${it.model}: ${it.verdict}${fewCases(it)}`,
    ...it.reasons.map((reason) => `  ${reason}`),
    `  ${it.judged} of ${it.cases} cases judged, flips ${shown(it.flipRate)}, false passes ${falsePasses(it)}, agreement ${shown(it.agreement)}, kappa ${it.kappa === null ? "unknown" : it.kappa.toFixed(2)}`,
    ...calibration(it),
    ...biases(it),
  ]);
  return `${lines.join("\n")}\n`;
}

/**
 * Returns a warning if a good result is based on few cases. A bad result needs no warning, because a single false pass is enough evidence
 * against a judge.
 */
function fewCases({ anecdotal, falsePasses, verdict }: AuditedRubric): string {
  return anecdotal && falsePasses === 0 && verdict !== "unknown"
    ? " (fewer than 5 cases can be checked, which is too few for a reliable result)"
    : "";
}

function falsePasses({ falsePassRate, falsePasses: passed, failedByChecks }: AuditedRubric): string {
  if (falsePassRate === null) return "unknown (no check and no label marks an answer as failed)";
  return `${passed} of ${failedByChecks} failed answers (${shown(falsePassRate)})`;
}

/**
 * Returns, for each score, how often the judge agreed with human labels. A cascade of judges calls the next model if this agreement is
 * too low for the score.
 */
function calibration({ calibration: scores }: AuditedRubric): readonly string[] {
  if (scores.length === 0) return [];
  const agreements = scores.map(({ score, cases, right }) => `${score}: ${right} of ${cases}`);
  return [`  labels agree with the judge, by its score: ${agreements.join(", ")}`];
}

const probeOf = {
  length: "with empty sentences added",
  position: "with evidence and criteria in reverse order",
} as const;

function biases({ probes }: AuditedRubric): readonly string[] {
  if (probes === null) return [];
  return (["length", "position"] as const).map((name) => {
    const { biased, pairs, meanShift } = probes[name];
    const shift = meanShift === null ? "unknown" : meanShift.toFixed(2);
    return `  ${name} bias: ${biased ? "yes" : "none seen"} (${pairs} answers ${probeOf[name]}: mean change of the score ${shift})`;
  });
}

function shown(rate: number | null): string {
  return rate === null ? "unknown" : `${Number((100 * rate).toFixed(1))} %`;
}

function exitCode(rubrics: readonly AuditedRubric[], isWhole: boolean): ExitCode {
  if (rubrics.some(({ verdict }) => verdict === "unreliable")) return ExitCode.failed;
  const isUnknown =
    rubrics.length === 0 || rubrics.some(({ verdict }) => verdict === "error" || verdict === "unknown");
  return isUnknown || !isWhole ? ExitCode.undecided : ExitCode.passed;
}
