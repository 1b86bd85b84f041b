import type { TestResult } from "../../json/result.ts";
import { isDerivedSpec } from "../../../../spec/derived-name.ts";
import { printable } from "../printable.ts";

const MOST_NAMED = 3;

/**
 * Returns the dumps of a result as arguments of a command. Returns `DUMP` if there are no dumps, or more than three.
 */
export function dumpWords({ dumps = [] }: Pick<TestResult, "dumps">): string {
  return words(dumps, "DUMP");
}

/**
 * Returns the `coverage` command for the runs that match no query. Returns null if a spec has no file,
 * because it was derived.
 */
export function coverageCommand(result: TestResult): string | null {
  if (result.specs.some(({ file }) => isDerivedSpec(file))) return null;
  return `tracejury coverage ${dumpWords(result)} ${specWords(result)}`;
}

/** Returns the `init` command that writes a spec for an agent. */
export function initCommand(result: TestResult, agent: string): string {
  return `tracejury init --from ${dumpWords(result)} --agent ${shellWord(agent)}`;
}

/**
 * Returns the `--spec` options for the specs of a result. Returns `--spec SPEC` if there are no specs, or more than three.
 */
function specWords({ specs }: Pick<TestResult, "specs">): string {
  const files = specs.map(({ file }) => file);
  const isShort = files.length > 0 && files.length <= MOST_NAMED;
  return isShort ? files.map((file) => `--spec ${shellWord(file)}`).join(" ") : "--spec SPEC";
}

function words(names: readonly string[], otherwise: string): string {
  return names.length > 0 && names.length <= MOST_NAMED ? names.map(shellWord).join(" ") : otherwise;
}

/** Returns a file name as a shell argument, with quotes if needed. */
export function shellWord(name: string): string {
  return /^[\w./:@%+,=-]+$/.test(name) ? name : `'${printable(name, 300).replaceAll("'", "'\\''")}'`;
}
