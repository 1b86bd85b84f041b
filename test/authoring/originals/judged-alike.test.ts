import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importAdk } from "../../../src/authoring/import/adk.ts";
import { importAgentevals } from "../../../src/authoring/import/agentevals.ts";
import { importEvalview } from "../../../src/authoring/import/evalview.ts";
import type { Imported, SourceDocument } from "../../../src/authoring/import/source.ts";
import { importPromptfoo } from "../../../src/authoring/import/promptfoo.ts";
import { type Evaluation, evaluateQuery } from "../../../src/evaluate/evaluate.ts";
import type { JsonValue } from "../../../src/model/json.ts";
import { runOf, type RunText } from "../../support/run-of.ts";
import { specOf } from "../../support/spec-of.ts";
import { type Decided, evalviewChecks, fingerprintOf, type Original } from "./cases.ts";
import { promptfooCases, promptfooVariables } from "./promptfoo-cases.ts";
import { adkCases, agentevalsCases, evalviewCases } from "./trajectory-cases.ts";

/*
 * Importers judge as the originals do: each generated case goes through the importer, and its trajectory through the spec that comes out. What the
 * original decided is recorded, so that it needs not be installed.
 */

const recorded = JSON.parse(readFileSync(new URL("decisions.json", import.meta.url), "utf8")) as Readonly<
  Record<Original, Decided>
>;

interface Case {
  readonly imported: Imported;
  readonly run: RunText;
}

/** What an importer lists that no decision depends on. */
const immaterial = /^strict: |vars\.|content \(of|invocation_id|\.author$|eval_set_id/;

function isWhole({ imported }: Case): boolean {
  return imported.left.every((one) => immaterial.test(one));
}

function documents(...values: readonly unknown[]): readonly SourceDocument[] {
  return values.map((value) => ({ place: "", value: value as JsonValue }));
}

/** The verdict of each case, by one spec of all their queries. */
function verdictsOf(cases: readonly Case[]): readonly Evaluation[] {
  const root = cases[0]?.imported.root ?? {};
  const queries = cases.map(({ imported }, at) => ({ ...imported.queries[0]?.query, query: `Case ${at}` }));
  const spec = specOf(JSON.stringify({ version: 1, agent: "shop", ...root, queries }));
  return cases.map(({ run }, at) => {
    const query = spec.queries[at];
    if (query === undefined) throw new Error(`no query of case ${at}`);
    return evaluateQuery(runOf({ query: `Case ${at}`, ...run }), query, {
      reference: { missing: "not-asked", version: null },
      judge: "off",
    });
  });
}

interface Compared {
  /** Cases of which nothing that matters was left out. */
  readonly compared: number;
  /** `17: fails there, pass here`. */
  readonly differing: readonly string[];
}

function compare(original: Original, cases: readonly Case[]): Compared {
  const { decisions } = recorded[original];
  const verdicts = verdictsOf(cases);
  const whole = cases.flatMap((one, at) => (isWhole(one) ? [at] : []));
  const differing = whole.flatMap((at) => {
    const theirs = decisions[at] === "p" ? "pass" : "fail";
    const ours = verdicts[at]?.outcome;
    return ours === theirs ? [] : [`${at}: ${theirs} there, ${ours} here`];
  });
  return { compared: whole.length, differing };
}

test.each(["promptfoo", "agentevals", "adk", "evalview"] as const)(
  "%s decided these very cases: decisions of other cases are not known",
  (original) => {
    expect(fingerprintOf(original)).toBe(recorded[original].cases);
  },
);

describe("promptfoo", () => {
  const cases = promptfooCases().map(({ assert, trajectory }) => ({
    imported: importPromptfoo(
      documents({ prompts: ["{{q}}"], tests: [{ vars: { q: "Q?", ...promptfooVariables }, assert }] }),
    ),
    run: {
      answer: trajectory.answer,
      tools: trajectory.tools,
      costUsd: trajectory.costUsd,
      durationMs: trajectory.latencyMs,
    },
  }));

  test("decides the same", () => {
    const { compared, differing } = compare("promptfoo", cases);
    expect(compared).toBeGreaterThan(450);
    expect(differing).toEqual([]);
  });
});

describe("agentevals", () => {
  const cases = agentevalsCases().map(({ file, steps }) => ({
    imported: importAgentevals(documents(file)),
    run: { answer: "Done.", tools: steps.flat() },
  }));

  test("decides the same", () => {
    const { compared, differing } = compare("agentevals", cases);
    expect(compared).toBeGreaterThan(350);
    // The same calls in the same order, in one message there and in two here, or the other way round: telemetry shows calls, not messages.
    expect(differing).toEqual([
      "101: fail there, pass here",
      "191: fail there, pass here",
      "286: fail there, pass here",
    ]);
  });
});

describe("ADK", () => {
  const cases = adkCases().map(({ evalCase, criteria, calls, answer }) => ({
    imported: importAdk(
      documents({ eval_set_id: "set", eval_cases: [evalCase] }, ...(criteria === null ? [] : [{ criteria }])),
    ),
    run: { answer, tools: calls },
  }));

  test("decides the same", () => {
    const { compared, differing } = compare("adk", cases);
    expect(compared).toBeGreaterThan(350);
    expect(differing).toEqual([]);
  });
});

describe("EvalView", () => {
  const cases = evalviewCases().map(({ test: written, calls, answer, costUsd, latencyMs }) => ({
    imported: importEvalview(documents(written)),
    run: { answer, tools: calls, costUsd, durationMs: latencyMs },
  }));

  test("each check decides the same", () => {
    const verdicts = verdictsOf(cases);
    const width = evalviewChecks.length;
    const differing = verdicts.flatMap(({ layers }, at) => {
      const checks = Object.values(layers).flatMap((layer) => layer.checks);
      return evalviewChecks.flatMap((check, of) => {
        const theirs = recorded.evalview.decisions[at * width + of];
        const ours = checks.find((one) => one.check === check)?.outcome ?? "pass";
        return (theirs === "p") === (ours === "pass")
          ? []
          : [`${at} ${check}: ${theirs} there, ${ours} here`];
      });
    });
    expect(differing).toEqual([]);
    expect(cases.flatMap(({ imported }) => imported.left)).toEqual([]);
  });
});
