import { createHash } from "node:crypto";
import { promptfooCases, promptfooVariables } from "./promptfoo-cases.ts";
import { adkCases, agentevalsCases, evalviewCases, messagesOf } from "./trajectory-cases.ts";

/** What each of the originals was given, as JSON, when its decisions were recorded. */
export const casesByOriginal = {
  promptfoo: (): unknown => ({ variables: promptfooVariables, cases: promptfooCases() }),
  agentevals: (): unknown =>
    agentevalsCases().map(({ file, steps }) => ({ file, outputs: messagesOf(steps) })),
  adk: (): unknown => adkCases(),
  evalview: (): unknown => evalviewCases(),
} as const;
export type Original = keyof typeof casesByOriginal;

/** What an original decided, a letter for each case (EvalView: for each check of it): pass, fail or error. */
export interface Decided {
  readonly version: string;
  /** SHA-256 of the cases: other cases have other decisions. */
  readonly cases: string;
  readonly decisions: string;
}

export function fingerprintOf(original: Original): string {
  return createHash("sha256").update(JSON.stringify(casesByOriginal[original]())).digest("hex");
}

/** The checks of an EvalView test, in the order of their decisions. */
export const evalviewChecks = [
  "expected_tools",
  "expected_tool_sequence",
  "forbidden_tools",
  "expected_in_answer",
  "not_in_answer",
  "regex_match",
  "max_cost_usd",
  "max_latency_ms",
] as const;
