import { readFileSync } from "node:fs";

/** One requirement on an OTLP collector that judges: a row of docs/conformance.md. */
export interface Requirement {
  readonly id: string;
  readonly what: string;
  /** Measured behaviour of the OpenTelemetry Collector 0.155; empty if it is the same. */
  readonly collector: string;
  /** Command that tests the requirement, if `npm test` cannot. */
  readonly command: string | undefined;
  /** A longer test of the requirement, beside its ordinary tests; empty if there is none. */
  readonly longer: string;
}

export const catalogue: readonly Requirement[] = readFileSync("docs/conformance.md", "utf8")
  .split("\n")
  .filter((line) => /^\| [CA]\d\d \|/.test(line))
  .map((line) => {
    const [, id = "", what = "", result = "", collector = ""] = line.split("|").map((cell) => cell.trim());
    const command = /^(?:not run: |\*\*fails\*\*: )?`([^`]+)`/.exec(result)?.[1];
    return { id, what, collector, command, longer: /^(?:\d+|\*\*[^*]+\*\*) (.*)/.exec(result)?.[1] ?? "" };
  });

/** The ids that a test's name begins with. */
export function idsIn(title: string): string[] {
  return title.match(/\b[CA]\d\d\b/g) ?? [];
}
