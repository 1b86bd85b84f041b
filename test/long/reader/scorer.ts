import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { scoreByTruth } from "./score-by-truth.ts";

/** Number of correct fields, and all incorrect ones. */
export interface Score {
  readonly recordings: number;
  readonly fields: Readonly<Record<string, FieldScore>>;
  readonly misses: readonly Miss[];
}

export interface FieldScore {
  readonly right: number;
  readonly scored: number;
}

/** A field with a wrong value. */
export interface Miss {
  readonly recording: string;
  readonly field: string;
  /** `absent` if the telemetry does not contain the true value. */
  readonly state?: string;
  readonly want: unknown;
  readonly got: unknown;
}

/** Path of the shared recordings' scorer, on machines that have it. */
const sharedScorer = "../shared/tools/score-runs.mjs";

/**
 * Scores the runs in a file: JSON lines of `inspect --format json` with the recording's path below `root` as `recording`. `only` selects
 * recordings.
 */
export type Scorer = (root: string, runs: string, only: RegExp) => Score;

/** The given program; without it, the scorer of the shared recordings; without that, the comparison of the tests. */
export function scorerOf(option: string | undefined): Scorer {
  const program = option ?? (existsSync(sharedScorer) ? sharedScorer : undefined);
  if (program === undefined) return scoreByTruth;
  return (root, runs, only) => scoreByProgram(program, root, runs, only);
}

/** Runs `node FILE --recordings DIR --runs RUNS.jsonl --json --misses`, which prints a `Score`. */
export function scoreByProgram(file: string, root: string, runs: string, only = new RegExp("")): Score {
  const args = [file, "--recordings", root, "--runs", runs, "--only", only.source, "--json", "--misses"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`the scorer exited with ${status}: ${stderr.trim()}`);
  return JSON.parse(stdout) as Score;
}

/** Whether the run has a wrong value for a fact that the telemetry does not contain. */
export function isFalseClaim({ state, got }: Miss): boolean {
  return state === "absent" && got !== null && got !== undefined && got !== "no run";
}

/** The totals that are printed, and compared between two scores. */
export interface Totals {
  readonly recordings: number;
  readonly scored: number;
  readonly right: number;
  /** Recordings without a wrong field. */
  readonly perfect: number;
  readonly falseClaims: number;
}

export function totalsOf({ recordings, fields, misses }: Score): Totals {
  const all = Object.values(fields);
  return {
    recordings,
    scored: all.reduce((sum, field) => sum + field.scored, 0),
    right: all.reduce((sum, field) => sum + field.right, 0),
    perfect: recordings - new Set(misses.map(({ recording }) => recording)).size,
    falseClaims: misses.filter(isFalseClaim).length,
  };
}

export function sumOf(all: readonly Totals[]): Totals {
  const sum = (key: keyof Totals): number => all.reduce((total, one) => total + one[key], 0);
  return {
    recordings: sum("recordings"),
    scored: sum("scored"),
    right: sum("right"),
    perfect: sum("perfect"),
    falseClaims: sum("falseClaims"),
  };
}

/** A pattern for exactly these recordings. */
export function anyOf(names: Iterable<string>): RegExp {
  const escaped = [...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})$`);
}
