import { compareRuns, type Comparison } from "../compare/compare.ts";
import { BadFile, type Figure, figureOf, readSaved } from "../compare/saved.ts";
import { comparisonLines } from "../compare/table.ts";
import { type Asked, BadOption, type Offered, readOptions, usageOf } from "./options.ts";
import { Report } from "./report.ts";
import { isFailed } from "./result.ts";
import { isAsked } from "./table.ts";

/** A benchmark that is run from the command line. */
export interface Command extends Offered {
  measure(asked: Asked, report: Report): Promise<void>;
}

/**
 * Measures, or compares saved runs. Exit code 1: a figure could not be measured or got worse. Exit code 2: options or files are invalid,
 * which is reported before measuring.
 */
export async function run(command: Command, args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    process.exitCode = await answer(command, args);
  } catch (error) {
    if (!(error instanceof BadOption) && !(error instanceof BadFile)) throw error;
    process.stderr.write(`${error.message}. --help lists the options.\n`);
    process.exitCode = 2;
  }
}

async function answer(command: Command, args: readonly string[]): Promise<number> {
  const asked = readOptions(command, args);
  const { help, only, compare, against, json, margins } = asked;
  if (help) {
    process.stdout.write(usageOf(command));
    return 0;
  }
  if (compare !== null) {
    const [before, after] = compare.map(readSaved).map((run) => wantedOf(run, only));
    return told(compareRuns(before ?? [], after ?? [], margins));
  }
  const saved = against === undefined ? null : readSaved(against);
  const report = new Report(json);
  await command.measure(asked, report);
  if (report.results.length === 0 && only.length > 0)
    throw new BadOption(`--only ${only.join(" --only ")}: no figure has this name`);
  const code = report.results.some(isFailed) ? 1 : 0;
  if (saved === null) return code;
  const first = compareRuns(wantedOf(saved, only), report.results.map(figureOf), margins);
  return Math.max(code, told(await confirmed(command, asked, saved, first)));
}

/**
 * Measures each worse figure again; a figure is worse only if it is worse both times. One of 40 unchanged figures looks worse by chance,
 * and V8 may compile a function differently in another process.
 */
async function confirmed(
  command: Command,
  asked: Asked,
  saved: readonly Figure[],
  first: readonly Comparison[],
): Promise<readonly Comparison[]> {
  const only = first.filter(({ verdict }) => verdict === "worse").map(({ name }) => name);
  if (only.length === 0) return first;
  process.stdout.write(`\nmeasured again, because worse can be chance: ${only.join(", ")}\n`);
  const report = new Report(undefined);
  await command.measure({ ...asked, only }, report);
  const measured = report.results.filter(({ name, rounds }) => only.includes(name) && rounds.length > 0);
  const second = compareRuns(saved, measured.map(figureOf), asked.margins);
  return first.map((one) => {
    const again = second.find(({ name, after }) => name === one.name && after.length > 0);
    if (one.verdict !== "worse" || again === undefined) return one;
    const why = "worse when first measured, not worse when measured again";
    return again.verdict === "worse" ? again : { ...again, verdict: "cannot tell", why };
  });
}

function wantedOf(figures: readonly Figure[], only: readonly string[]): Figure[] {
  return figures.filter(({ name, row }) => isAsked(name, row, only));
}

/** Prints the comparison; returns 1 if a figure is worse. */
function told(comparisons: readonly Comparison[]): 0 | 1 {
  process.stdout.write("\n");
  for (const line of comparisonLines(comparisons)) process.stdout.write(`${line}\n`);
  return comparisons.some(({ verdict }) => verdict === "worse") ? 1 : 0;
}
