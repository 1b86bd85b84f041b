import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerdictJson } from "../../../src/report/json/verdict-schema.ts";
import { createRandom, type Random } from "../../../src/report/statistics/samples/random.ts";
import { runCli } from "../../support/run-cli.ts";
import { verdictsOfVersions } from "../../support/runs-of-versions.ts";

/*
 * `npm run long -- statistics [GROUPS] [SEED]`: 2,000 random groups of runs through `report --format json`, against SciPy and statsmodels,
 * which are installed into a virtual environment in the folder for temporary files (`TRACEJURY_VENV` names another one). Prints the largest
 * differences as JSON; exit 1 when one is more than 1e-9.
 */

const wanted = Number(process.argv[2] ?? 2_000);
const seed = Number(process.argv[3] ?? 20_261_123);
const packages = ["scipy==1.17.1", "statsmodels==0.15.0"];
const metrics = ["cost_usd", "total_tokens", "latency_ms", "score"];

interface CaseRun {
  readonly group: string;
  readonly query: string;
  readonly outcome: "pass" | "warn" | "fail" | "incomplete";
  readonly metrics: Readonly<Record<string, number | null>>;
}

function oneOf<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[random.below(choices.length)];
  if (chosen === undefined) throw new Error("nothing to choose from");
  return chosen;
}

/** Runs of some versions: queries differ far more than versions do, values may be equal, unknown or zero. */
function drawRuns(random: Random, versions: readonly string[]): CaseRun[] {
  const queries = oneOf(random, [
    1,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    10,
    13,
    25,
    60,
    random.below(12) === 0 ? 230 : 9,
  ]);
  const most = queries > 50 ? 2 : oneOf(random, [1, 1, 2, 4, 9]);
  const digits = oneOf(random, [0, 1, 3, 6]);
  const rounded = (value: number) => Math.round(value * 10 ** digits) / 10 ** digits;
  const shares = new Map(
    versions.map((version) => [version, { rate: random.uniform(), factor: 0.7 + random.uniform() }]),
  );
  return Array.from({ length: queries }, (_, query) => {
    const size = Math.exp(3 * random.normal());
    return versions.flatMap((version) => {
      const { rate = 1, factor = 1 } = shares.get(version) ?? {};
      const missing = random.below(15) === 0;
      const runs = missing ? 0 : most === 1 ? 1 : 1 + random.below(most);
      return Array.from({ length: runs }, (): CaseRun => {
        const passed = random.uniform() < rate;
        const measure = (scale: number) => rounded(scale * size * factor * Math.exp(0.2 * random.normal()));
        const known = (value: number) => (random.below(20) === 0 ? null : value);
        return {
          group: version,
          query: `q${query}`,
          outcome: random.below(25) === 0 ? "incomplete" : passed ? oneOf(random, ["pass", "warn"]) : "fail",
          metrics: {
            cost_usd: known(measure(1)),
            total_tokens: known(Math.round(measure(1000))),
            latency_ms: measure(500),
            score: known(Math.round(10 * (5 + 4 * Math.tanh(random.normal())))),
          },
        };
      });
    });
  }).flat();
}

function verdictOf(template: VerdictJson, run: CaseRun, at: number): VerdictJson {
  return {
    ...template,
    run_id: `run-${at}`,
    verdict_id: `verdict-${at}`,
    query_id: run.query,
    outcome: run.outcome,
    attributes: { "service.version": run.group },
    metrics: { ...run.metrics },
  };
}

interface Case {
  readonly confidence: number;
  readonly adjust: string;
  readonly percentile: string;
  readonly interval: string;
  readonly metrics: readonly string[];
  readonly runs: readonly CaseRun[];
  readonly report: { readonly groups: readonly unknown[] };
}

async function reportedCase(random: Random, file: string, template: VerdictJson): Promise<Case | undefined> {
  const versions = random.below(5) === 0 ? ["1.0", "2.0", "3.0"] : ["1.0", "2.0"];
  const runs = drawRuns(random, versions);
  if (!runs.some(({ group }) => group === "1.0")) return undefined;
  writeFileSync(file, runs.map((run, at) => `${JSON.stringify(verdictOf(template, run, at))}\n`).join(""));
  const options = {
    confidence: oneOf(random, [0.95, 0.95, 0.9, 0.99]),
    adjust: oneOf(random, ["holm", "bh", "bonferroni"]),
    percentile: oneOf(random, ["linear", "nearest"]),
    interval: oneOf(random, ["wilson", "z"]),
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const base = random.below(3) === 0 ? [] : ["--base", "1.0"];
  const ran = await runCli(
    "report",
    file,
    "--group-by",
    "service.version",
    ...base,
    "--format",
    "json",
    ...words,
  );
  return { ...options, metrics, runs, report: JSON.parse(ran.stdout) as Case["report"] };
}

/** The interpreter of a virtual environment that has the packages. */
function python(): string {
  const folder = process.env["TRACEJURY_VENV"] ?? join(tmpdir(), "tracejury-statistics-venv");
  const interpreter = join(folder, "bin", "python");
  const must = (command: string, ...words: string[]): void => {
    const { status } = spawnSync(command, words, { stdio: ["ignore", 2, 2] });
    if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${status}`);
  };
  if (!existsSync(interpreter)) must("python3", "-m", "venv", folder);
  must(interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages);
  return interpreter;
}

const folder = mkdtempSync(join(tmpdir(), "report-statistics-"));
try {
  const random = createRandom(seed);
  const [template] = verdictsOfVersions([{ version: "1.0", query: "q" }]);
  if (template === undefined) throw new Error("no verdict");
  const cases: Case[] = [];
  for (let groups = 0; groups < wanted;) {
    const made = await reportedCase(random, join(folder, "verdicts.jsonl"), template);
    if (made === undefined) continue;
    cases.push(made);
    groups += made.report.groups.length;
  }
  const compared = spawnSync(python(), ["test/long/statistics/reference.py", "check"], {
    input: JSON.stringify(cases),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "inherit"],
    maxBuffer: 1e8,
  });
  const result = JSON.parse(compared.stdout) as { readonly wrongCount: number };
  console.log(JSON.stringify(result, null, 2));
  if (result.wrongCount > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
