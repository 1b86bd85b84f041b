import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

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

/** The scorer of the option, else the shared one; undefined without both. */
export function scorerFile(option: string | undefined): string | undefined {
  return option ?? (existsSync(sharedScorer) ? sharedScorer : undefined);
}

/**
 * Scores runs by a program: `node FILE --recordings DIR --runs RUNS.jsonl --json --misses` prints a `Score`, where each line of RUNS.jsonl is a run as
 * `inspect --format json` prints it, with the path of its recording below DIR as `recording`.
 * @param only a pattern of the recordings' paths
 */
export function scoreByProgram(file: string, root: string, runs: string, only?: RegExp): Score {
  const args = ["--recordings", root, "--runs", runs, "--json", "--misses"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [file, ...args, ...(only === undefined ? [] : ["--only", only.source])],
    { encoding: "utf8", maxBuffer: 2 ** 30 },
  );
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
