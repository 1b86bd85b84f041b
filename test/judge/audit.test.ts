import { describe, expect, test } from "vitest";
import {
  type AuditCase,
  auditRubric,
  cohensKappa,
  type PassOrFail,
} from "../../src/evaluate/judge/audit/audit.ts";
import {
  type AuditItem,
  auditJudges,
  biasOf,
  padded,
  signTest,
} from "../../src/evaluate/judge/audit/audit-run.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";
import { judgesOf } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

/** Cases written short: what the repeats said (`ppf`, `-` for an error), and the label or what checks say. */
function casesOf(
  ...texts: readonly (readonly [said: string, label?: string, checks?: string])[]
): AuditCase[] {
  const word = (letter: string | undefined): PassOrFail | null =>
    letter === "p" ? "pass" : letter === "f" ? "fail" : null;
  return texts.map(([said, label, checks], i) => ({
    id: String(i),
    outcomes: said.split("").map(word),
    label: word(label),
    checks: word(checks),
  }));
}

const times = (n: number, ...it: readonly [string, string?, string?]) => Array.from({ length: n }, () => it);

describe("the verdict on a rubric", () => {
  test.each<[string, AuditCase[], string]>([
    ["always right", casesOf(...times(10, "ppp", "p"), ...times(10, "fff", "f")), "reliable"],
    ["5 % flips", casesOf(...times(19, "ppp", "p"), ["ppf", "p"]), "reliable"],
    ["10 % flips", casesOf(...times(9, "ppp"), ["ppf"]), "needs calibration"],
    ["20 % flips", casesOf(...times(4, "ppp"), ["ppf"]), "needs calibration"],
    ["more than 20 % flips", casesOf(...times(3, "ppp"), ["ppf"]), "unreliable"],
    [
      "agreement 85 %",
      casesOf(...times(10, "p", "p"), ...times(7, "f", "f"), ...times(3, "f", "p")),
      "needs calibration",
    ],
    [
      "agreement 70 %",
      casesOf(...times(10, "p", "p"), ...times(4, "f", "f"), ...times(6, "f", "p")),
      "unreliable",
    ],
    [
      "one false pass of fifty",
      casesOf(...times(40, "ppp", "-", "p"), ...times(9, "fff", "-", "f"), ["ppp", "-", "f"]),
      "unreliable",
    ],
    ["the only answer, bad and passed", casesOf(["p", "-", "f"]), "unreliable"],
    ["the only answer, bad by its label and passed", casesOf(["p", "f"]), "unreliable"],
    ["good answers failed, which labels do not contradict", casesOf(...times(5, "f", "-", "p")), "reliable"],
    ["always says pass, kappa 0", casesOf(...times(18, "p", "p"), ...times(2, "p", "f")), "unreliable"],
    ["no answers", casesOf(["---", "p"]), "error"],
    ["answers that neither a label nor a check decides", casesOf(...times(9, "ppp")), "unknown"],
  ])("%s", (_, cases, verdict) => {
    expect(auditRubric("r@1", "m", cases)).toMatchObject({ verdict });
  });

  test("counts false passes against the answers that the checks failed, a person's label being a check", () => {
    const cases = casesOf(
      ...times(90, "p", "-", "p"),
      ...times(6, "f", "-", "f"),
      ["p", "-", "f"],
      ["p", "f"],
      ["f", "f", "p"],
      ["p", "p", "f"],
      ["p"],
    );

    expect(auditRubric("r@1", "m", cases)).toMatchObject({
      checkable: 100,
      failedByChecks: 9,
      falsePasses: 2,
      falsePassRate: 2 / 9,
      reasons: expect.arrayContaining([
        "not trustworthy: passes 2 of the 9 answers that checks or labels fail",
      ]),
    });
    expect(auditRubric("r@1", "m", casesOf(...times(5, "p", "-", "p")))).toMatchObject({
      failedByChecks: 0,
      falsePassRate: null,
    });
  });

  test("does not count failed repeats as answers", () => {
    expect(auditRubric("r@1", "m", casesOf(["p-p", "p"], ["--p", "p"]))).toMatchObject({
      repeated: 1,
      flips: 0,
      judged: 2,
    });
  });
});

test.each([
  // Cohen 1960's form, worked by hand: po = 0.7, pe = 0.5·0.6 + 0.5·0.4 = 0.5.
  [{ truePass: 20, falsePass: 5, trueFail: 15, falseFail: 10 }, 0.4],
  [{ truePass: 10, falsePass: 0, trueFail: 10, falseFail: 0 }, 1],
  [{ truePass: 0, falsePass: 10, trueFail: 0, falseFail: 10 }, -1],
])("kappa of %j is %f", (table, kappa) => {
  expect(cohensKappa(table)).toBeCloseTo(kappa, 12);
});

test.each([
  [0, 6, 0.03125],
  [5, 5, 1],
  [1, 9, 0.021484375],
])("the sign test of %i up and %i down", (up, down, p) => {
  expect(signTest(up, down)).toBeCloseTo(p, 12);
});

test("kappa and the sign test are unknown where there is nothing to tell from", () => {
  expect(cohensKappa({ truePass: 9, falsePass: 0, trueFail: 0, falseFail: 0 })).toBeNull();
  expect(cohensKappa({ truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 })).toBeNull();
  expect(signTest(0, 0)).toBeNull();
});

test("a bias is a large shift, or one that chance does not explain", () => {
  const pairs = (n: number, original: number, changed: number) =>
    Array.from({ length: n }, () => ({ original, changed }));
  expect(biasOf(pairs(10, 3, 3))).toMatchObject({ biased: false, meanShift: 0, p: null });
  expect(biasOf([...pairs(12, 3, 3), ...pairs(6, 3, 4)])).toMatchObject({ biased: true, up: 1 / 3 });
  expect(biasOf([...pairs(1, 2, 3), ...pairs(9, 3, 3)])).toMatchObject({ biased: false });
  expect(biasOf([])).toMatchObject({ biased: false, meanShift: null });
});

test("a padded answer is twice as long and begins as before", () => {
  for (const answer of ["", "Yes.", "a".repeat(1000)]) {
    expect(padded(answer).startsWith(answer)).toBe(true);
    expect(padded(answer).length).toBeGreaterThanOrEqual(answer.length * 2);
  }
});

describe("an audit", () => {
  const query = queryOf({
    correctness: { expected_in_answer: ["day"], llm_judge: [{ rule: "names a day" }], safety_check: true },
  });
  const itemOf = (id: string, answer: string, label: PassOrFail | null): AuditItem => {
    const run = runOf({ answer });
    const { layers } = evaluationOf(run, query);
    const deterministic = layers.correctness.checks.filter(
      (it) => it.judge === null && it.outcome !== "skip",
    );
    return { id, run, query, deterministic, label };
  };
  const items = [
    itemOf("a", "on Monday, a good day", "pass"),
    itemOf("b", "soon", null),
    itemOf("c", "on Friday", "pass"),
  ];
  const spec = { settings: {}, contextFile: () => undefined };

  test("does not hold a run's error against the judge of its answer", async () => {
    const port = scriptedPort(() => replied(said(5)));
    const [first] = items;
    const deterministic = (first?.deterministic ?? []).map((it) => ({
      ...it,
      check: "run_status",
      outcome: "fail" as const,
    }));
    const failed = first === undefined ? [] : [{ ...first, deterministic, label: null }];
    const [audit] = await auditJudges({
      items: failed,
      judges: judgesOf(port),
      spec,
      repeats: 2,
      probes: false,
    });

    expect(audit).toMatchObject({ judged: 1, checkable: 0, falsePasses: 0, verdict: "unknown" });
  });

  test("judges every rubric of every case several times, whatever the checks say", async () => {
    const port = scriptedPort(({ user }) => replied(said(user.includes("soon") ? 5 : 4)));
    const audited = await auditJudges({ items, judges: judgesOf(port), spec, repeats: 3, probes: false });

    expect(audited.map((it) => it.rubric)).toEqual([expect.stringMatching(/^names-a-day/), "safety@1"]);
    expect(port.asked).toHaveLength(2 * 3 * 3);
    expect(new Set(port.asked.filter((it) => it.rubric === "safety@1").map((it) => it.sample)).size).toBe(3);
    expect(audited[0]).toMatchObject({
      cases: 3,
      repeated: 3,
      flips: 0,
      checkable: 3,
      falsePasses: 1,
      labelled: 2,
    });
  });

  test.each([
    ["its query's own reference", { rubric: "task_completion@1" }, 1],
    ["its query's own rule, under a name that another rule has, too", { name: "right" }, 2],
  ])("judges each case by %s", async (_, rubric, audits) => {
    const port = scriptedPort(() => replied(said(5)));
    const asked = ["alpha", "omega"].map((text): AuditItem => {
      const own = "name" in rubric ? { ...rubric, rule: text } : { ...rubric, reference: text };
      const query = queryOf({ correctness: { llm_judge: [own] } });
      return { id: text, run: runOf({ tools: ["a"] }), query, deterministic: [], label: null };
    });
    const options = { judges: judgesOf(port), spec, repeats: 1, probes: false };

    expect(await auditJudges({ ...options, items: asked })).toHaveLength(audits);
    expect(port.asked.map((it) => /alpha|omega/.exec(`${it.system}${it.user}`)?.[0])).toEqual([
      "alpha",
      "omega",
    ]);
  });

  test("finds a judge that likes long answers, and one that likes what comes first", async () => {
    const port = scriptedPort(({ user }) => {
      const long = user.includes("To put it differently");
      return replied(said(long ? 5 : user.indexOf("<<<QUERY") > user.indexOf("<<<ANSWER") ? 1 : 3));
    });
    const [audit] = await auditJudges({ items, judges: judgesOf(port), spec, repeats: 1, probes: true });

    expect(audit?.probes?.length).toMatchObject({ biased: true, meanShift: 2 });
    expect(audit?.probes?.position).toMatchObject({ biased: true, meanShift: -2 });
  });
});
