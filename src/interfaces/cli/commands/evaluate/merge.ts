import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Format } from "../../../../report/render/formats/format-names.ts";
import { knownProblems } from "../../../../report/render/problems/known-problems.ts";
import { mergeParts, type PartHead, PartReader } from "../../../../report/render/findings/part.ts";
import { type Findings, testResult } from "../../../../report/render/json/result.ts";
import { joinResults } from "../../../../report/render/findings/saved-results.ts";
import { HeldFindings } from "../../../../replay/findings/held-findings.ts";
import { type ExitOptions, exitRules } from "../../../../report/render/tally/exit-code.ts";
import { readResult } from "../../../../replay/reports/result-files.ts";
import { holdsVerdicts, isPart } from "../../../../replay/reports/result-kind.ts";
import { openOutputs, writeReports } from "../../../../replay/reports/write-reports.ts";
import { type ExitCode, type Io, UserError } from "../../../../support/process/io.ts";

export interface MergeOptions extends ExitOptions {
  readonly format: Format;
  readonly output: readonly string[];
  readonly known?: string;
}

/**
 * Merges the parts that `test --shard` wrote, or several results of `test --format json`. The report and the exit code are the same as if
 * one process had judged all input.
 */
export async function merge(files: readonly string[], options: MergeOptions, io: Io): Promise<ExitCode> {
  const outputs = openOutputs(options.output, files);
  if (options.failOn === "new" && options.known === undefined) {
    throw new UserError(
      "--fail-on new needs a saved result",
      "name the saved result with --known result.json",
    );
  }
  const results = files.filter((file) => holdsVerdicts(file) && !isPart(file));
  const held = new HeldFindings();
  try {
    const findings =
      results.length === 0
        ? await joinedParts(files, held)
        : joinedResults(
            results,
            files.filter((file) => !results.includes(file)),
          );
    const known =
      options.failOn === "new" && options.known !== undefined
        ? knownProblems(readResult(options.known))
        : undefined;
    const result = testResult(findings, exitRules(options, known));
    await writeReports(result, options.format, outputs, io);
    return result.exit.code;
  } finally {
    held.close();
  }
}

async function joinedParts(files: readonly string[], held: HeldFindings): Promise<Findings> {
  const parts: PartHead[] = [];
  for (const file of files) parts.push(await readPart(file, held));
  const findings = mergeParts(parts);
  if (typeof findings !== "string") return { ...findings, ...held.findings() };
  throw new UserError(
    `the parts cannot be merged: ${findings}`,
    "run test --shard 1/N, 2/N, … N/N on the same dumps, with the same specs and options, and merge all parts",
  );
}

/** Merges results of `test --format json`. */
function joinedResults(files: readonly string[], others: readonly string[]): Findings {
  if (others.length > 0) {
    throw new UserError(
      `${others.join(", ")}: not a result of test`,
      "merge either results, or parts of --shard",
    );
  }
  const findings = joinResults(files.map(readResult));
  if (typeof findings !== "string") return findings;
  throw new UserError(`the results cannot be merged: ${findings}`, "judge them by the same spec");
}

const partsFrom = "merge needs the output of test --shard 1/N … N/N, or results of test --format json";

async function readPart(file: string, held: HeldFindings): Promise<PartHead> {
  const reader = new PartReader(held);
  let number = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number++;
      const problem = reader.take(text);
      if (problem !== undefined) throw new UserError(`${file}: line ${number} ${problem}`, partsFrom);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const part = reader.part();
  if (typeof part === "string") throw new UserError(`${file} ${part}`, "run that shard again");
  return part;
}
