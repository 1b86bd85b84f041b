import type { Layer, Outcome } from "../../../model/outcome.ts";

/** Data of the HTML report, in the order of the console report: failures first. */
export interface ReportData {
  readonly version: string;
  readonly exit: { readonly code: number; readonly reasons: readonly string[] };
  /**
   * Describes the cost of judges and the checks that options left out. Absent if no judge was called and no
   * check was left out.
   */
  readonly judging?: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly specs: readonly (readonly [file: string, hash: string])[];
  readonly groups: readonly ReportGroup[];
  /** Problems without a verdict: missing queries, ambiguous runs, unreadable input, and reliability gates. */
  readonly problems: readonly (readonly [title: string, message: string])[];
  /** Number of problems without a verdict that were left out of `problems`. */
  readonly moreProblems: number;
  readonly runs: readonly ReportRun[];
}

/** Verdicts of one query whose outcomes were decided by the same checks. */
export interface ReportGroup {
  readonly part: "failed" | "undecided" | "warned";
  readonly spec: string;
  readonly id: string;
  readonly outcome: Outcome;
  readonly checks: readonly ReportGroupCheck[];
  readonly count: number;
  /** Number of all verdicts of the query, in any group. */
  readonly of: number;
  /** Id of the run that is displayed as an example of the group. */
  readonly example: string;
  /** Positions of the group's other runs, as `file:line`. Long lists are truncated. */
  readonly sources: readonly string[];
  /**
   * Positions of the table rows that define the query, as `file:line (id)`. Absent if the query is in a spec
   * file.
   */
  readonly rows?: readonly string[];
  /** Command that displays the example run; null if the run was not read from a file. */
  readonly command: string | null;
}

export interface ReportGroupCheck {
  readonly check: string;
  /** Messages of the check with the number of runs for each, most frequent first. */
  readonly messages: readonly (readonly [message: string, runs: number])[];
  /** Position of the check in the spec as `file:line`; empty if unknown. */
  readonly where: string;
}

export interface ReportRun {
  readonly spec: string;
  readonly id: string;
  readonly run: string;
  readonly query: string;
  readonly outcome: Outcome;
  readonly agent: string;
  readonly models: readonly string[];
  /**
   * Where the run was read: `file:line`, a folder, or the address of a collector; then further files of the run. Empty if a collector
   * received the run.
   */
  readonly source: string;
  readonly error: string | null;
  readonly time: string;
  readonly tokens: string;
  readonly money: string;
  readonly tools: readonly (string | null)[];
  /** Called tools that the spec's `forbidden_tools` lists. */
  readonly forbidden: readonly string[];
  readonly expected: readonly string[] | null;
  readonly handoffs: readonly string[];
  readonly answer: string | null;
  /** Duration of the run in milliseconds. */
  readonly length: number;
  readonly steps: readonly ReportStep[];
  readonly compared: ReportCompared | null;
  readonly checks: readonly ReportCheck[];
  /** Run attributes that the configuration's allow-list names, as text. */
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * A step of the run, as a list to keep the file small. Times are in milliseconds. `failed` is 1 for a failed
 * step, otherwise 0.
 */
export type ReportStep = readonly [
  kind: string,
  name: string,
  startMs: number,
  durationMs: number,
  failed: number,
];

export interface ReportCompared {
  readonly version: string;
  readonly regressed: boolean;
  readonly differences: readonly (readonly [severity: string, type: string, message: string])[];
  readonly more: number;
}

export interface ReportCheck {
  readonly layer: Layer;
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly remedy: string | null;
  readonly judge: string | null;
  /** Expected and actual tool calls, aligned. Empty if expected and actual calls are equal. */
  readonly calls: readonly (readonly [expected: string | null, actual: string | null])[];
  /** Position of the check in the spec as `file:line`; empty if unknown. */
  readonly where: string;
}
