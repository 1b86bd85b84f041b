import { type Call, firstOfEach, type Recording } from "./recordings.ts";

/** What every side is told that a query's runs should do. */
export interface Expected {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly tools: readonly Call[];
}

/** `wrong` expects one more tool than was called, so that every run has to fail. */
export type Kind = "true" | "wrong";

/** No recording takes so long. */
export const MAX_LATENCY_MS = 600_000;

export function expectationsOf(recordings: readonly Recording[], kind: Kind): readonly Expected[] {
  return firstOfEach(recordings).map(({ query, answer, tools }, at) => ({
    id: `q${at}`,
    query,
    answer,
    tools: kind === "true" ? tools : [...tools, { name: "tool_nobody_has", arguments: {} }],
  }));
}

/** What one side says about runs: the traces it passed and those it failed; any other it did not judge. */
export interface Said {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** The recordings that a side passes with the true expectations and fails with wrong ones. */
export function toldRight(
  recordings: readonly Recording[],
  said: Readonly<Record<Kind, Said>>,
  keyOf: (recording: Recording) => string,
): readonly Recording[] {
  return recordings.filter((one) => said.true.passed.has(keyOf(one)) && said.wrong.failed.has(keyOf(one)));
}
