import type { TestResult } from "../../json/result.ts";
import { isDerivedSpec } from "../../../../spec/derived-name.ts";
import { printable } from "../printable.ts";

const MOST_NAMED = 3;

/** Returns the dumps of this result as command-line arguments; `DUMP` if there is none. */
export function dumpWords({ dumps = [] }: Pick<TestResult, "dumps">): string {
  return words(dumps, "DUMP");
}

/** Returns the command that writes queries for runs without one; null for a derived spec, which has no file. */
export function coverageCommand(result: TestResult): string | null {
  if (result.specs.some(({ file }) => isDerivedSpec(file))) return null;
  return `tracejury coverage ${dumpWords(result)} ${specWords(result)}`;
}

/** Returns the command that writes a spec for another agent. */
export function initCommand(result: TestResult, agent: string): string {
  return `tracejury init --from ${dumpWords(result)} --agent ${shellWord(agent)}`;
}

/** Returns options that name the specs of this result. */
function specWords({ specs }: Pick<TestResult, "specs">): string {
  const files = specs.map(({ file }) => file);
  const isShort = files.length > 0 && files.length <= MOST_NAMED;
  return isShort ? files.map((file) => `--spec ${shellWord(file)}`).join(" ") : "--spec SPEC";
}

function words(names: readonly string[], otherwise: string): string {
  return names.length > 0 && names.length <= MOST_NAMED ? names.map(shellWord).join(" ") : otherwise;
}

/** Returns a file name as a shell argument, quoted if needed. */
export function shellWord(name: string): string {
  return /^[\w./:@%+,=-]+$/.test(name) ? name : `'${printable(name, 300).replaceAll("'", "'\\''")}'`;
}
