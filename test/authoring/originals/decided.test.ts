import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importAdk } from "../../../src/authoring/import/adk.ts";
import { importAgentevals } from "../../../src/authoring/import/agentevals.ts";
import { importEvalview } from "../../../src/authoring/import/evalview.ts";
import { importPromptfoo } from "../../../src/authoring/import/promptfoo.ts";
import type { JsonObject, JsonValue } from "../../../src/model/json.ts";
import { evaluationOf } from "../../support/evaluation-of.ts";
import { runOf } from "../../support/run-of.ts";
import { specOf } from "../../support/spec-of.ts";

/** One line of `decided.jsonl`: a configuration, what the agent did, and what the tool decided. */
interface Row {
  readonly from: keyof typeof importers;
  /** The files of the configuration. */
  readonly files: readonly JsonValue[];
  readonly calls?: readonly (readonly [name: string, args: JsonObject])[];
  readonly answer?: string;
  readonly costUsd?: number;
  readonly durationMs?: number;
  /** EvalView: the checks that it counts as violated. */
  readonly decided: "pass" | "fail" | readonly string[];
  /** What Tracejury decides instead: the same calls, in one message or in two, are alike in telemetry. */
  readonly here?: "pass";
}

const importers = {
  promptfoo: importPromptfoo,
  agentevals: importAgentevals,
  adk: importAdk,
  evalview: importEvalview,
} as const;

const lines = readFileSync(new URL("decided.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const rows = lines.map((line) => JSON.parse(line) as Row);

const AT_ONCE = 50;

/** The queries of these rows, many in one spec: reading a spec for each row takes longer than judging it. */
function queriesOf(own: readonly Row[]): ReturnType<typeof specOf>["queries"] {
  if (own.length > AT_ONCE) return [...queriesOf(own.slice(0, AT_ONCE)), ...queriesOf(own.slice(AT_ONCE))];
  const imported = own.map(({ from, files }) =>
    importers[from](files.map((value) => ({ place: "", value }))),
  );
  const queries = imported.map((one, at) => ({ ...one.queries[0]?.query, query: `Case ${at}` }));
  return specOf(JSON.stringify({ version: 1, agent: "shop", ...imported[0]?.root, queries })).queries;
}

// The decisions of promptfoo 0.121.20, agentevals 0.0.9, google-adk 2.13.0 and EvalView 0.8.1.
test.each([
  ["promptfoo", 550],
  ["agentevals", 430],
  ["adk", 430],
  ["evalview", 420],
] as const)("%s decided the same", (tool, least) => {
  const own = rows.filter(({ from }) => from === tool);
  expect(own.length).toBeGreaterThan(least);
  const queries = queriesOf(own);
  const differing = own.flatMap((row, at) => {
    const { files, calls = [], answer = "Done.", costUsd = 0.001, durationMs = 1000, decided, here } = row;
    const query = queries[at];
    if (query === undefined) throw new Error(`no query of case ${at}`);
    const tools = calls.map(([name, args]) => ({ name, arguments: args }));
    const run = runOf({ query: `Case ${at}`, answer, tools, costUsd, durationMs });
    const { outcome, layers } = evaluationOf(run, query);
    const checks = Object.values(layers).flatMap((layer) => layer.checks);
    const violated = checks.filter((one) => one.outcome === "fail" || one.outcome === "warn");
    const ours =
      tool === "evalview"
        ? violated
            .map(({ check }) => check)
            .sort()
            .join(" ")
        : outcome;
    const theirs = typeof decided === "string" ? decided : [...decided].sort().join(" ");
    return ours === (here ?? theirs) ? [] : [{ files, calls, answer, theirs, ours }];
  });
  expect(differing).toEqual([]);
});
