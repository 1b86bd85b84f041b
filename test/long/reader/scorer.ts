import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { scoreByTruth } from "./score-by-truth.ts";

/** What a scorer says of runs: how many fields are right, and each that is not. */
export interface Score {
  readonly recordings: number;
  readonly fields: Readonly<Record<string, FieldScore>>;
  readonly misses: readonly Miss[];
}

export interface FieldScore {
  readonly right: number;
  readonly scored: number;
}

/** A field that is wrong in a recording. */
export interface Miss {
  readonly recording: string;
  readonly field: string;
  /** `absent` where the telemetry does not hold the true value. */
  readonly state?: string;
  readonly want: unknown;
  readonly got: unknown;
}

/** Where the scorer of the shared recordings is, on machines that have them. */
const sharedScorer = "../shared/tools/score-runs.mjs";

/**
 * Scores the runs in a file, JSON lines as `inspect --format json` prints runs with the path of their recording below `root` as `recording`.
 * `only`: the recordings that are scored.
 */
export type Scorer = (root: string, runs: string, only: RegExp) => Score;

/** The program of the option, else that of the shared recordings, else the comparison that the tests make. */
export function scorerOf(option: string | undefined): Scorer {
  const program = option ?? (existsSync(sharedScorer) ? sharedScorer : undefined);
  if (program === undefined) return scoreByTruth;
  return (root, runs, only) => scoreByProgram(program, root, runs, only);
}

/** `node FILE --recordings DIR --runs RUNS.jsonl --json --misses` prints a `Score`. */
export function scoreByProgram(file: string, root: string, runs: string, only = new RegExp("")): Score {
  const args = [file, "--recordings", root, "--runs", runs, "--only", only.source, "--json", "--misses"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`the scorer exited with ${status}: ${stderr.trim()}`);
  return JSON.parse(stdout) as Score;
}

/** Whether the run states what the telemetry does not hold, and states it wrongly. */
export function isFalseClaim({ state, got }: Miss): boolean {
  return state === "absent" && got !== null && got !== undefined && got !== "no run";
}

/** What is printed of a score, and what is compared between two. */
export interface Totals {
  readonly recordings: number;
  readonly scored: number;
  readonly right: number;
  /** Recordings without a field that is wrong. */
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

/** Paths of exactly these recordings. */
export function anyOf(names: Iterable<string>): RegExp {
  const escaped = [...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})$`);
}
