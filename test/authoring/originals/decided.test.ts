import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importAdk } from "../../../src/authoring/import/adk.ts";
import { importAgentevals } from "../../../src/authoring/import/agentevals.ts";
import { importEvalview } from "../../../src/authoring/import/evalview.ts";
import type { Imported } from "../../../src/authoring/import/source.ts";
import { importPromptfoo } from "../../../src/authoring/import/promptfoo.ts";
import { type Evaluation, evaluateQuery } from "../../../src/evaluate/evaluate.ts";
import type { JsonObject, JsonValue } from "../../../src/model/json.ts";
import { runOf } from "../../support/run-of.ts";
import { specOf } from "../../support/spec-of.ts";
import type { Call } from "./promptfoo-cases.ts";
import { messagesOf } from "./trajectory-cases.ts";

/*
 * Decisions that promptfoo 0.121.20, agentevals 0.0.9, google-adk 2.13.0 and EvalView 0.8.1 gave, one case a line: the configuration, what the
 * agent did, and what the tool decided.
 */

type CallRow = readonly [name: string, args: JsonObject];

interface Row {
  readonly calls?: readonly CallRow[];
  readonly answer?: string;
  readonly costUsd?: number;
  readonly latencyMs?: number;
  readonly decided: "pass" | "fail";
}
interface PromptfooRow extends Row {
  readonly assert: JsonObject;
  readonly vars?: JsonObject;
}
interface AgentevalsRow extends Row {
  readonly reference: readonly CallRow[];
  readonly trajectory_match_mode?: string;
  readonly tool_args_match_mode?: string;
}
interface AdkRow extends Row {
  readonly reference: readonly CallRow[];
  readonly criteria: JsonObject | null;
  readonly response: string | null;
}
interface EvalviewRow extends Omit<Row, "calls" | "decided"> {
  readonly expected: JsonObject;
  readonly thresholds: JsonObject;
  readonly adapter_config?: JsonObject;
  readonly calls: readonly string[];
  /** The checks that EvalView counts as violated. */
  readonly violated: readonly string[];
}

function rowsOf(tool: string): readonly (readonly [title: string, line: string])[] {
  const lines = readFileSync(new URL("decided.jsonl", import.meta.url), "utf8").split("\n");
  const head = `{"from": "${tool}", `;
  return lines
    .filter((line) => line.startsWith(head))
    .map((line) => [line.slice(head.length, -1).slice(0, 160), line]);
}

function document(value: unknown): { readonly place: string; readonly value: JsonValue } {
  return { place: "", value: value as JsonValue };
}

function callsOf(rows: readonly CallRow[] = []): Call[] {
  return rows.map(([name, args]) => ({ name, arguments: args }));
}

function judged(
  { root, queries }: Imported,
  { answer = "Done.", costUsd = 0.001, latencyMs = 1000 }: Omit<Row, "decided" | "calls">,
  tools: readonly Call[],
): Evaluation {
  const asked = { version: 1, agent: "shop", ...root, queries: [queries[0]?.query] };
  const [query] = specOf(JSON.stringify(asked)).queries;
  if (query === undefined) throw new Error("the importer made no query");
  const run = runOf({ query: "Q?", answer, tools, costUsd, durationMs: latencyMs });
  return evaluateQuery(run, query, { reference: { missing: "not-asked", version: null }, judge: "off" });
}

describe("promptfoo", () => {
  test.each(rowsOf("promptfoo"))("%s", (_, line) => {
    const row = JSON.parse(line) as PromptfooRow;
    const tests = [{ vars: { q: "Q?", ...row.vars }, assert: [row.assert] }];
    const imported = importPromptfoo([document({ prompts: ["{{q}}"], tests })]);
    expect(judged(imported, row, callsOf(row.calls)).outcome).toBe(row.decided);
  });
});

describe("agentevals", () => {
  test.each(rowsOf("agentevals"))("%s", (_, line) => {
    const { reference, calls, decided, trajectory_match_mode, tool_args_match_mode } = JSON.parse(
      line,
    ) as AgentevalsRow;
    const reference_outputs = messagesOf(callsOf(reference).map((call) => [call]));
    const imported = importAgentevals([
      document({ reference_outputs, trajectory_match_mode, tool_args_match_mode }),
    ]);
    expect(judged(imported, {}, callsOf(calls)).outcome).toBe(decided);
  });
});

describe("ADK", () => {
  test.each(rowsOf("adk"))("%s", (_, line) => {
    const row = JSON.parse(line) as AdkRow;
    const parts = (text: string) => ({ parts: [{ text }] });
    const turn = {
      user_content: parts("Q?"),
      ...(row.response === null ? {} : { final_response: parts(row.response) }),
      intermediate_data: { tool_uses: row.reference.map(([name, args]) => ({ name, args })) },
    };
    const imported = importAdk([
      document({ eval_set_id: "set", eval_cases: [{ eval_id: "case", conversation: [turn] }] }),
      ...(row.criteria === null ? [] : [document({ criteria: row.criteria })]),
    ]);
    expect(judged(imported, row, callsOf(row.calls)).outcome).toBe(row.decided);
  });
});

describe("EvalView", () => {
  test.each(rowsOf("evalview"))("%s", (_, line) => {
    const row = JSON.parse(line) as EvalviewRow;
    const { expected, thresholds, adapter_config } = row;
    const imported = importEvalview([
      document({ name: "case", input: { query: "Q?" }, expected, thresholds, adapter_config }),
    ]);
    const calls = row.calls.map((name) => ({ name, arguments: {} }));
    const checks = Object.values(judged(imported, row, calls).layers).flatMap((layer) => layer.checks);
    const violated = checks.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    expect(violated.map(({ check }) => check).sort()).toEqual([...row.violated].sort());
  });
});
