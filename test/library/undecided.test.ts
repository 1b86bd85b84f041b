import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Assertion, expect, test } from "vitest";
import {
  assertAnswersWith,
  assertCostsLessThan,
  assertHandsOffTo,
  assertMatchesSpec,
  assertUsesExactlyTools,
  assertUsesFewerTokensThan,
  assertUsesNoneOf,
  assertUsesTools,
} from "../../src/assert.ts";
import type { AgentRun } from "../../src/index.ts";
import "../../src/vitest.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * What the telemetry does not show passes neither an assertion nor its negation, and an expectation that every run meets is none.
 */

const folder = temporaryFolder();
let files = 0;
function specFile(query: string, more = ""): string {
  const path = join(folder, `${++files}.yaml`);
  writeFileSync(path, `version: 1\nagent: support\n${more}\nqueries: [{ id: q, query: Q?, ${query} }]\n`);
  return path;
}

type Asserting = (run: AgentRun) => void;
/** The assertion, the matcher, and the matcher's negation. */
interface Forms {
  readonly plain: Asserting;
  readonly holds: Asserting;
  readonly negated: Asserting;
}

/** The forms of an assertion; a matcher takes the same as its assertion. */
function formsOf<Wanted>(
  plain: (run: AgentRun, wanted: Wanted) => void,
  matcher: (expected: Assertion<AgentRun>, wanted: Wanted) => void,
  wanted: Wanted,
): Forms {
  return {
    plain: (run) => plain(run, wanted),
    holds: (run) => matcher(expect(run), wanted),
    negated: (run) => matcher(expect(run).not, wanted),
  };
}

const forms = {
  uses: (...names: string[]) => formsOf(assertUsesTools, (run, all) => run.toUseTools(all), names),
  usesNone: (...names: string[]) => formsOf(assertUsesNoneOf, (run, all) => run.toUseNoneOf(all), names),
  usesExactly: (...names: string[]) =>
    formsOf(assertUsesExactlyTools, (run, all) => run.toUseExactlyTools(all), names),
  handsOff: (...names: string[]) => formsOf(assertHandsOffTo, (run, all) => run.toHandOffTo(all), names),
  answers: (text: string | RegExp) => formsOf(assertAnswersWith, (run, one) => run.toAnswerWith(one), text),
  costs: (usd: number) => formsOf(assertCostsLessThan, (run, one) => run.toCostLessThan(one), usd),
  tokens: (count: number) =>
    formsOf(assertUsesFewerTokensThan, (run, one) => run.toUseFewerTokensThan(one), count),
  spec: (query: string, more = ""): Forms => {
    const file = specFile(query, more);
    return {
      plain: (run) => assertMatchesSpec(run, "q", file),
      holds: (run) => expect(run).toMatchSpec("q", file),
      negated: (run) => expect(run).not.toMatchSpec("q", file),
    };
  },
};

const hidden = (what: string): RunText => ({ missing: [{ what, why: "not recorded" }] });
const open: RunText = { complete: false, closeReason: "idle" };
const cut = `${"word ".repeat(204)}word`;
const usage = { input: 6, output: 4 };
const MARK = "\u00ad";

test.each<[string, RunText, Forms]>([
  ["tools that may be missing", hidden("tools"), forms.uses("drop")],
  ["tools of a run without an end", { ...open, tools: ["find"] }, forms.uses("drop")],
  ["a tool without a name", { tools: [{ name: null }] }, forms.uses("drop")],
  ["tools that must not be used, and may be missing", hidden("tools"), forms.usesNone("drop")],
  ["a run without an end that must not use a tool", { ...open, tools: ["find"] }, forms.usesNone("drop")],
  ["no tool that must not be used", {}, forms.usesNone()],
  ["all tools, of which some may be missing", { ...hidden("tools"), tools: ["a"] }, forms.usesExactly("a")],
  ["all tools of a run without an end", { ...open, tools: ["a"] }, forms.usesExactly("a")],
  ["no tool of a run without an end", open, forms.usesExactly()],
  ["a requested tool that may not have run", { tools: [{ name: "a", executed: null }] }, forms.uses("a")],
  [
    "all tools, of which one may not have run",
    { tools: ["a", { name: "b", executed: null }] },
    forms.usesExactly("a"),
  ],
  ["hand-offs that may be missing", hidden("handoffs"), forms.handsOff()],
  ["hand-offs that are requested as tools, which may be missing", hidden("tools"), forms.handsOff()],
  ["hand-offs of a run without an end", open, forms.handsOff("billing")],
  ["an answer that was not captured", { answer: null }, forms.answers("secret")],
  ["an answer that was cut off", { answer: cut }, forms.answers("secret")],
  ["an answer that was cut off, by a pattern", { answer: cut }, forms.answers(/secret/)],
  ["a pattern in the begin of an answer that was cut off", { answer: cut }, forms.answers(/word$/)],
  ["a number at the cut of an answer", { answer: `${"word ".repeat(203)}cost is 5` }, forms.answers("is 5")],
  ["an answer in disguised letters", { answer: "The ｓｅｃｒｅｔ is out." }, forms.answers("secret")],
  ["a number inside another one", { answer: "It was in 2012." }, forms.answers("12")],
  ["the answer of a run without an end", { ...open, answer: "Wait." }, forms.answers("secret")],
  ["the answer so far of a run without an end", { ...open, answer: "Wait." }, forms.answers("wait")],
  ["an empty text", {}, forms.answers("")],
  ["a text of invisible characters", {}, forms.answers("\u200b")],
  ["a cost that is unknown", {}, forms.costs(1)],
  ["a cost that cannot be", { costUsd: -1 }, forms.costs(1)],
  ["a cost of a run without an end", { ...open, costUsd: 0.1 }, forms.costs(1)],
  ["a limit that is no amount", { costUsd: 0.1 }, forms.costs(NaN)],
  ["tokens that are unknown", {}, forms.tokens(10)],
  ["tokens that cannot be", { totalTokens: -5 }, forms.tokens(10)],
  ["tokens of a run without an end", { ...open, usage }, forms.tokens(100)],
  ["a limit that is no number", { usage }, forms.tokens(NaN)],
  ["a spec whose judge is not asked", {}, forms.spec("correctness: { llm_judge: [{ rule: polite }] }")],
  [
    "a spec with a baseline that is not read",
    { costUsd: 1 },
    forms.spec("cost: { max_cost_multiplier: 1.1 }", "baseline: v1"),
  ],
  ["a spec with checks that are not run", {}, forms.spec("checks: [{ command: 'true' }]")],
  ["a spec about conversations", {}, forms.spec("scope: conversation, path: { max_tool_calls: 0 }")],
  [
    "a spec about turns",
    {},
    forms.spec("scope: conversation, turns: [{ query: Q?, correctness: { expected_in_answer: [x] } }]"),
  ],
])("%s: passes no assertion, no matcher and no negation", (_, text, { plain, holds, negated }) => {
  const run = runOf(text);
  expect(() => plain(run)).toThrow(/undecided/);
  expect(() => holds(run)).toThrow(/undecided/);
  expect(() => negated(run)).toThrow(/undecided/);
});

test.each<[string, RunText, Forms]>([
  ["a tool with invisible characters", { tools: [`dr${MARK}op`] }, forms.uses("drop")],
  ["a wanted name with them", { tools: ["drop"] }, forms.uses(`dr${MARK}op`)],
  [
    "a tool that was seen, while others may be missing",
    { ...hidden("tools"), tools: ["a"] },
    forms.uses("a"),
  ],
  ["exactly the tools, one with invisible characters", { tools: [`a${MARK}`] }, forms.usesExactly("a")],
  ["an agent in other letters", { handoffs: ["BillingAgent"] }, forms.handsOff("billing_agent")],
  ["a whole number", { answer: "It was on 12 May 2012." }, forms.answers("12")],
  ["a text over a soft hyphen", { answer: `on its w${MARK}ay` }, forms.answers("WAY")],
  ["the begin of an answer that was cut off", { answer: cut }, forms.answers("word")],
  ["a pattern with a memory, at its second use", { answer: "yes" }, again(/y/g)],
  ["no tools at all", {}, forms.uses()],
])("%s: passes, and its negation fails", (_, text, { plain, holds, negated }) => {
  const run = runOf(text);
  plain(run);
  holds(run);
  expect(() => negated(run)).toThrow(/the (?:run|answer)/);
});

test.each<[string, RunText, Forms]>([
  ["a tool too many, in a run without an end", { ...open, tools: ["a", "b"] }, forms.usesExactly("a")],
  ["no tool, where one was used", { tools: ["a"] }, forms.uses()],
  ["a tool of an MCP server", { tools: ["mcp__disk__drop"] }, forms.usesNone("drop")],
  ["a tool in another spelling", { tools: ["Drop/All"] }, forms.usesNone("drop_all")],
  ["the function of a hand-off", { handoffs: [{ to: "b", tool: "to_b" }] }, forms.usesNone("toB")],
  ["another hand-off, in a run without an end", { ...open, handoffs: ["x"] }, forms.handsOff("y")],
  ["a cost above the limit, in a run without an end", { ...open, costUsd: 3 }, forms.costs(1)],
  ["tokens above the limit, in a run without an end", { ...open, usage }, forms.tokens(5)],
  ["a cost at the limit", { costUsd: 1 }, forms.costs(1)],
])("%s: fails, and its negation passes", (_, text, { plain, holds, negated }) => {
  const run = runOf(text);
  expect(() => plain(run)).toThrow(/the run/);
  expect(() => holds(run)).toThrow(/the run/);
  negated(run);
});

function again(pattern: RegExp): Forms {
  pattern.test("yes");
  return forms.answers(pattern);
}

test("judges may be left out on purpose", () => {
  const file = specFile("correctness: { expected_in_answer: [way], llm_judge: [{ rule: polite }] }");
  const run = runOf();
  expect(run).toMatchSpec("q", file, { judge: "off" });
  assertMatchesSpec(run, "q", file, { judge: "off" });
});

test("a check that the run gives no cause for is left out", () => {
  const file = specFile("correctness: { expected_in_answer: [way] }, retrieval: { min_results: 1 }");
  expect(runOf()).toMatchSpec("q", file);
});
