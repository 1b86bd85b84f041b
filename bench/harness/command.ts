import { compareRuns, type Comparison } from "../compare/compare.ts";
import { BadFile, type Figure, figureOf, readSaved } from "../compare/saved.ts";
import { comparisonLines } from "../compare/table.ts";
import { type Asked, BadOption, type Offered, readOptions, usageOf } from "./options.ts";
import { Report } from "./report.ts";
import { isFailed } from "./result.ts";
import { isAsked } from "./table.ts";

/** A benchmark as a command. */
export interface Command extends Offered {
  measure(asked: Asked, report: Report): Promise<void>;
}

/**
 * Measures, or compares saved runs, as the arguments ask. The exit code is 1 when a figure could not be measured or got worse, 2 for options or files
 * that cannot be used, which is told before anything is measured.
 */
export async function run(command: Command, args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    process.exitCode = await answer(command, args);
  } catch (error) {
    if (!(error instanceof BadOption) && !(error instanceof BadFile)) throw error;
    process.stderr.write(`${error.message}. --help tells what can be asked.\n`);
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
    throw new BadOption(`--only ${only.join(" --only ")}: there is none`);
  const code = report.results.some(isFailed) ? 1 : 0;
  if (saved === null) return code;
  const first = compareRuns(wantedOf(saved, only), report.results.map(figureOf), margins);
  return Math.max(code, told(await confirmed(command, asked, saved, first)));
}

/**
 * What looks worse is measured once more, and is worse when it looks so again: among many figures one in forty does by chance, and a process may have
 * compiled something otherwise than the next one.
 */
async function confirmed(
  command: Command,
  asked: Asked,
  saved: readonly Figure[],
  first: readonly Comparison[],
): Promise<readonly Comparison[]> {
  const only = first.filter(({ verdict }) => verdict === "worse").map(({ name }) => name);
  if (only.length === 0) return first;
  process.stdout.write(`\nonce more, as worse may be chance: ${only.join(", ")}\n`);
  const report = new Report(undefined);
  await command.measure({ ...asked, only }, report);
  const measured = report.results.filter(({ name, rounds }) => only.includes(name) && rounds.length > 0);
  const second = compareRuns(saved, measured.map(figureOf), asked.margins);
  return first.map((one) => {
    const again = second.find(({ name, after }) => name === one.name && after.length > 0);
    if (one.verdict !== "worse" || again === undefined) return one;
    const why = "worse the first time, and not when it was measured once more";
    return again.verdict === "worse" ? again : { ...again, verdict: "cannot tell", why };
  });
}

function wantedOf(figures: readonly Figure[], only: readonly string[]): Figure[] {
  return figures.filter(({ name, row }) => isAsked(name, row, only));
}

/** Prints the comparison; gives 1 when something is worse. */
function told(comparisons: readonly Comparison[]): 0 | 1 {
  process.stdout.write("\n");
  for (const line of comparisonLines(comparisons)) process.stdout.write(`${line}\n`);
  return comparisons.some(({ verdict }) => verdict === "worse") ? 1 : 0;
}
