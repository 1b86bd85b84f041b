import type { Layer, Outcome } from "../../../model/outcome.ts";

/** Data of the HTML report, in the order of the console report, failures first. */
export interface ReportData {
  readonly version: string;
  readonly exit: { readonly code: number; readonly reasons: readonly string[] };
  /** Cost and savings of judges, and the checks that options left out; absent without either. */
  readonly judging?: string;
  readonly summary: Readonly<Record<string, number>>;
  /** Name and hash of each spec. */
  readonly specs: readonly (readonly [file: string, hash: string])[];
  readonly groups: readonly ReportGroup[];
  /** Problems without a run: missing queries, ambiguous runs, unreadable input, reliability gates. */
  readonly problems: readonly (readonly [title: string, message: string])[];
  /** Number of further problems. */
  readonly moreProblems: number;
  readonly runs: readonly ReportRun[];
}

/** Verdicts of one query with the same outcome from the same checks. */
export interface ReportGroup {
  readonly part: "failed" | "undecided" | "warned";
  readonly spec: string;
  readonly id: string;
  readonly outcome: Outcome;
  readonly checks: readonly ReportGroupCheck[];
  readonly count: number;
  /** Number of all verdicts of the query. */
  readonly of: number;
  /** Id of the run that represents the group. */
  readonly example: string;
  /** Positions of the group's other runs as `file:line`, limited in number. */
  readonly sources: readonly string[];
  /** Table rows of the verdicts as `file:line (id)`; absent for a query in a spec file. */
  readonly rows?: readonly string[];
  /** Command that shows the example; null for a run that was not read from a file. */
  readonly command: string | null;
}

export interface ReportGroupCheck {
  readonly check: string;
  /** Messages with their number of runs, most frequent first. */
  readonly messages: readonly (readonly [message: string, runs: number])[];
  /** Position in the spec, `file:line`; empty if unknown. */
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
  /** Position of the run in a dump, `file:line`; empty for a received run. */
  readonly source: string;
  readonly error: string | null;
  readonly time: string;
  readonly tokens: string;
  readonly money: string;
  readonly tools: readonly (string | null)[];
  /** Called tools that the spec forbids. */
  readonly forbidden: readonly string[];
  readonly expected: readonly string[] | null;
  readonly handoffs: readonly string[];
  readonly answer: string | null;
  /** Duration in milliseconds. */
  readonly length: number;
  readonly steps: readonly ReportStep[];
  readonly compared: ReportCompared | null;
  readonly checks: readonly ReportCheck[];
  /** Attributes of the configuration's allow-list, as text. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Kind, name, start and length in milliseconds, and 1 if failed. A list keeps the file small. */
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
  /** Expected and actual calls, if they differ. */
  readonly calls: readonly (readonly [expected: string | null, actual: string | null])[];
  /** Position in the spec, `file:line`; empty if unknown. */
  readonly where: string;
}
