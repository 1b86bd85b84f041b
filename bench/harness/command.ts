import { compareRuns, type Margins } from "../compare/compare.ts";
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
    const [older, newer] = compare;
    return compared(readSaved(older), readSaved(newer), only, margins);
  }
  const saved = against === undefined ? null : readSaved(against);
  const report = new Report(json);
  await command.measure(asked, report);
  const code = report.results.some(isFailed) ? 1 : 0;
  if (saved === null) return code;
  process.stdout.write("\n");
  return Math.max(code, compared(saved, report.results.map(figureOf), only, margins));
}

function compared(
  older: readonly Figure[],
  newer: readonly Figure[],
  only: readonly string[],
  margins: Margins,
): number {
  const wanted = ({ name, row }: Figure): boolean => isAsked(name, row, only);
  const comparisons = compareRuns(older.filter(wanted), newer.filter(wanted), margins);
  for (const line of comparisonLines(comparisons)) process.stdout.write(`${line}\n`);
  return comparisons.some(({ verdict }) => verdict === "worse") ? 1 : 0;
}
