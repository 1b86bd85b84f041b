import { runDetailJson } from "../../src/report/json/run-detail.ts";
import { runOf, type RunText } from "../support/run-of.ts";

/** Text that looks like the JSON of a run that failed. */
const lookalike = '","status":"error","error":"not this"';
const failed = { status: "error", answer: null } as const;

const runs: readonly (readonly [RunText, string | null])[] = [
  [{ ...failed, error: 'the "quota"\\ is\nexceeded' }, 'the "quota"\\ is\nexceeded'],
  [{}, null],
  [{ query: lookalike, answer: lookalike }, null],
  [{ tools: [{ name: "a", arguments: { status: "error", error: "not this" } }] }, null],
  [{ ...failed, query: lookalike, error: lookalike }, lookalike],
  [{ ...failed, error: "x".repeat(900) }, "x".repeat(500)],
  [{ ...failed, error: null }, null],
];

/** Runs as they are stored. */
export const runsWithErrors: readonly string[] = runs.map(([run]) =>
  JSON.stringify(runDetailJson(runOf(run))),
);
/** What a list of them says of their errors. */
export const errorsOfRuns: readonly (string | null)[] = runs.map(([, error]) => error);
