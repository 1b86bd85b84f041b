import { describe, expect, test } from "vitest";
import { remedyFor } from "../../src/evaluate/result/remedies.ts";
import { costsLessThan } from "../../src/interfaces/library/run-checks.ts";
import { evaluated } from "../support/evaluated.ts";
import { type ModelText, runOf, type RunText } from "../support/run-of.ts";
import type { AgentRun } from "../../src/model/run.ts";

const blank: RunText = { query: null, answer: null };
const fields = ["query", "answer", "messages", "tool_arguments", "tool_results", "retrievals"];

describe("a remedy is checked against the run's data", () => {
  test.each(fields)("it is on where the run has other content: %s", (field) => {
    const run = runOf(field === "query" ? { query: null } : { answer: null });
    const remedy = remedyFor(field, run);
    expect(remedy).not.toMatch(/switch content capture on/i);
    expect(remedy).toMatch(/content capture is on\..*Have the instrumentation record/);
  });

  test("where inputs and outputs have switches of their own, each side is looked at by itself", () => {
    const hidden = { gives: fields, set: "unset HIDE_INPUTS and HIDE_OUTPUTS", bySide: true as const };
    const knowing = (run: RunText): AgentRun => runOf({ ...run, settings: [hidden] });
    expect(remedyFor("answer", knowing({ answer: null }))).toContain("HIDE_OUTPUTS");
    expect(remedyFor("query", knowing({ query: null }))).toContain("HIDE_INPUTS");
    expect(remedyFor("tool_results", knowing({}))).toMatch(/so content capture is on\./);
  });

  // Claude Code has a switch for each kind of content.
  test("a switch of only this content is named, although other content is there", () => {
    const settings = [
      { gives: ["query"], set: "LOG_PROMPTS=1" },
      { gives: ["tool_arguments"], set: "LOG_TOOLS=1" },
    ];
    expect(remedyFor("tool_arguments", runOf({ settings }))).toBe(
      "Record it with a setting of the agent's process: LOG_TOOLS=1.",
    );
  });

  test("attributes that the SDK's limit cut are named", () => {
    const missing = [{ what: "attributes", why: "1 span lost attributes: the sender dropped them" }];
    expect(remedyFor("answer", runOf({ answer: null, missing }))).toContain(
      "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
    );
  });

  test("tools that may be missing are to be instrumented; content capture is named where it may be off", () => {
    expect(remedyFor("tools", runOf())).toBe("Instrument the tools (a span for each call).");
    expect(remedyFor("tools", runOf(blank))).toContain("switch content capture on");
  });
});

const priced = { model: "a", costUsd: 0.1, usage: { input: 5, output: 5 } };
const unpriced = { model: "own-7b", usage: { input: 5, output: 5 } };
const line = (...names: string[]) =>
  `prices: { ${names.map((name) => `${JSON.stringify(name)}: { input: …, output: … }`).join(", ")} }`;

const nameless = { model: null, usage: { input: 5, output: 5 } };
const noOutput = { model: "own", usage: { input: 5 } };
const other = { ...unpriced, model: "z/9" };
const servedAs = { ...unpriced, responseModel: "own-7b-q4" };
const neither = "1 of 2 model calls has neither a cost nor a model name";
test.each<[string, readonly ModelText[], string, string]>([
  ["a model without a price", [priced, unpriced], "no price for own-7b", line("own-7b")],
  ["the served model is the one to be priced", [servedAs], "own-7b-q4", line("own-7b-q4")],
  ["two of them", [unpriced, unpriced, other], "no price for own-7b and z/9", line("own-7b", "z/9")],
  [
    "no usage",
    [priced, { model: "gpt-4o" }],
    "input or output tokens are unknown in 1 of 2 model calls",
    "include_usage",
  ],
  [
    "no output tokens",
    [noOutput],
    "input or output tokens are unknown in 1 of 1 model call",
    "include_usage",
  ],
  ["no name", [nameless, priced], neither, "gen_ai.request.model"],
  ["failed calls aside", [{ error: "429" }, unpriced], "no price for own-7b", line("own-7b")],
  ["no calls", [], "model calls may be missing", "Instrument the model client"],
])("an unknown cost names its cause: %s", (_, llm, reason, remedy) => {
  const run = runOf({ llm });
  const { layers } = evaluated({ cost: { max_cost_usd: 1 } }, { llm });
  const [check] = layers.cost.checks;
  expect(check).toMatchObject({ outcome: "incomplete" });
  expect(check?.message).toContain(reason);
  expect(check?.remedy).toContain(remedy);
  const asserted = costsLessThan(run, 1);
  expect(asserted).toMatchObject({ pass: false });
  expect(asserted.message).toContain(reason);
  expect(asserted.message).toContain(remedy);
});
