import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainRun } from "../../src/model/plain-run.ts";
import { mutations } from "../../src/evaluate/strength/mutant.ts";
import { mutantsOf } from "../../src/evaluate/strength/mutants.ts";
import { type Trial, tryRun } from "../../src/evaluate/strength/strength.ts";
import { tally } from "../../src/evaluate/strength/tally.ts";
import { queryOf, type QueryText } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

const good: RunText = {
  query: "Refund order A-1001",
  answer: "Order A-1001: 40.50 USD were refunded.",
  tools: [
    { name: "lookup", arguments: { id: "A-1001" }, result: { total: 40.5, currency: "USD" } },
    { name: "refund", arguments: { id: "A-1001" }, result: "done" },
  ],
  handoffs: ["billing"],
  handoffsAvailable: ["billing", "sales"],
  usage: { input: 300, output: 100 },
  costUsd: 0.01,
};

const options = { seed: 42, most: 3, reference: { missing: "not-asked", version: null } } as const;

function tried(query: QueryText, run: RunText = good): readonly Trial[] {
  return tryRun(runOf(run), queryOf(query), options) ?? [];
}

function killed(query: QueryText): string[] {
  return tried(query)
    .filter(({ fate }) => fate === "killed")
    .map(({ mutation }) => mutation);
}

describe("the mutants of a good run", () => {
  test("are of every kind", () => {
    const made = new Set(mutantsOf(runOf(good), 42, 3).map(({ mutation }) => mutation));

    expect([...made]).toEqual([...mutations]);
  });

  test("differ from it, and leave it as it was", () => {
    const run = plainRun(runOf(good));
    const before = structuredClone(run);
    for (const mutant of mutantsOf(run, 1, 3)) expect(mutant.run).not.toEqual(run);

    expect(run).toEqual(before);
  });

  test("are the same for the same seed, at most so many of a kind", () => {
    const tools = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(tools, fc.nat(), fc.integer({ min: 1, max: 4 }), (names, seed, most) => {
        const run = runOf({ ...good, tools: names });
        const made = mutantsOf(run, seed, most);
        expect(mutantsOf(run, seed, most)).toEqual(made);
        for (const kind of mutations) {
          expect(made.filter(({ mutation }) => mutation === kind).length).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("numbers of the answer", () => {
  const answersOf = (answer: string, ...kinds: readonly string[]) =>
    mutantsOf(runOf({ ...good, answer }), 1, 100)
      .filter(({ mutation }) => kinds.includes(mutation))
      .map(({ run }) => run.answer);

  test.each<[string, readonly (string | null)[]]>([
    ["You owe 2.40 EUR.", ["You owe 12.40 EUR.", "You owe 2.43 EUR."]],
    ["due on 2026-12-03", ["due on 12026-12-03", "due on 2026-12-06"]],
    ["from 9 to 18", ["from 19 to 18", "from 2 to 18", "from 9 to 118", "from 9 to 11"]],
    ["order A-1001", ["order A-11001", "order A-1004"]],
    ["nothing", []],
  ])("%j have a digit more in front, or another", (answer, changed) => {
    expect(answersOf(answer, "number")).toEqual(changed);
  });

  test.each<[string, readonly (string | null)[]]>([
    ["You owe 2.40 EUR.", ["You owe -2.40 EUR.", "You owe 2.40 USD."]],
    ["You owe $2.40.", ["You owe -$2.40.", "You owe €2.40."]],
    ["It is -4 °C", ["It is 4 °C", "It is -4 °F"]],
    ["due on 2026-12-03", []],
    ["in 5 days", ["in -5 days", "in 5 weeks"]],
    ["38% of 9-18", ["-38% of 9-18", "38°C of 9-18"]],
    ["order A-1001", []],
  ])("%j have another sign or unit", (answer, changed) => {
    expect(answersOf(answer, "unit")).toEqual(changed);
  });

  test("are named without the word behind them, unless that is their unit", () => {
    const mutants = mutantsOf(runOf({ ...good, answer: "from 9 to 5 EUR" }), 1, 100);
    expect(mutants.flatMap(({ mutation, what }) => (mutation === "unit" ? [what] : []))).toEqual([
      "the answer said -9 instead of 9",
      "the answer said -5 EUR instead of 5 EUR",
      "the answer said 5 USD instead of 5 EUR",
    ]);
  });

  test("of the instructions become known where an invented one shall be noticed", () => {
    const trials = tried({}, { query: "When?", answer: "From 9:15 to 18:30.", tools: [] });
    expect(trials.find(({ mutation }) => mutation === "invention")?.suggestion).toMatchObject({
      check: "grounded",
      limit: { in: "answer", known: expect.arrayContaining([expect.stringContaining("18:30")]) },
    });
  });

  test("are joined by one that nothing says", () => {
    const [invented, ...others] = answersOf("You owe 2.40 EUR.", "invention");
    expect(others).toEqual([]);
    expect(invented).toMatch(/^You owe 2\.40 EUR\. .*\d/);
  });
});

describe("a spec notices", () => {
  test.each<[string, QueryText]>([
    ["drop", { path: { expected_tools: ["lookup", "refund"] } }],
    ["repeat", { path: { max_loops: 0 } }],
    ["swap", { path: { expected_tool_sequence: ["lookup", "refund"] } }],
    ["forge", { correctness: { grounded: { in: "answer" } } }],
    ["handoff", { path: { expected_handoff: "billing" } }],
    ["tokens", { cost: { max_total_tokens: 1000 } }],
    ["answer", { correctness: { expected_in_answer: ["40.50"] } }],
    ["number", { correctness: { expected_in_answer: ["A-1001", "40.50"] } }],
    ["number", { correctness: { grounded: { in: "answer" } } }],
    ["unit", { correctness: { expected_in_answer: ["40.50 USD"] } }],
    ["invention", { correctness: { grounded: { in: "answer" } } }],
  ])("%s by the check that is about it", (mutation, query) => {
    expect(killed(query)).toContain(mutation);
  });

  test("nothing when it asserts nothing", () => {
    expect(killed({})).toEqual([]);
  });
});

describe("a survivor", () => {
  test("comes with a check that passes the good run and would notice the fault", () => {
    for (const { what, suggestion } of tried({})) {
      if (suggestion === null) continue;
      const { layer, check, limit } = suggestion;
      const again = tried({ [layer]: { [check]: limit } });
      expect(again.find((trial) => trial.what === what)?.fate).toBe("killed");
    }
    // What the result of refund was makes no difference to the answer.
    expect(tried({}).flatMap(({ what, suggestion }) => (suggestion === null ? [what] : []))).toEqual([
      "values in the result of refund (call 2 of 2) were replaced by false ones",
    ]);
  });

  test.each([
    ["I am sorry, unfortunately I could not find anything about that currently.", []],
    ["However, the channel would therefore reduce everything.", ["channel", "reduce"]],
    [
      "Entschuldigung, leider können wir dazu keine Informationen geben, Rückerstattung folgt.",
      ["Rückerstattung", "folgt"],
    ],
  ])("of another answer is noticed by words that say something, never by stop words: %s", (answer, words) => {
    const trials = tried({}, { query: "Which one?", answer, tools: [] });
    const suggested = trials.flatMap(({ suggestion }) =>
      suggestion?.check === "expected_in_answer" ? [suggestion.limit] : [],
    );
    expect(suggested).toEqual(words.length === 0 ? [] : suggested.map(() => words));
    expect(suggested.length > 0).toBe(words.length > 0);
  });

  test("of inflated tokens is noticed by a budget, however few they were", () => {
    for (const input of [1, 9, 60, 5000]) {
      const trials = tried({}, { ...good, usage: { input, output: 0 } });
      expect(trials.find(({ mutation }) => mutation === "tokens")?.suggestion).toMatchObject({
        check: "max_total_tokens",
      });
    }
  });

  test("of a query with judges is left to them, where the answer or a result is what changed", () => {
    const lifecycle = tried({ correctness: { llm_judge: [{ rule: "The refund is confirmed." }] } });

    const judged = lifecycle.filter(({ fate }) => fate === "judge").map(({ mutation }) => mutation);
    expect([...new Set(judged)]).toEqual(["forge", "answer", "number", "unit", "name", "invention"]);
    expect(lifecycle.filter(({ mutation, fate }) => judged.includes(mutation) && fate !== "judge")).toEqual(
      [],
    );
  });
});

test("a run that does not pass shows nothing", () => {
  const query = queryOf({ correctness: { not_in_answer: ["refunded"] } });

  expect(tryRun(runOf(good), query, options)).toBeUndefined();
  expect(tryRun(runOf({ ...good, complete: false }), queryOf({}), options)).toBeUndefined();
});

test("a query's strength is the share that was noticed; unknown without mutants", () => {
  const place = { spec: "s", queryId: "q" };
  const trials = tried({ cost: { max_total_tokens: 1000 } });
  const [one] = tally(
    [place],
    [
      { ...place, trials },
      { ...place, trials: undefined },
    ],
  );
  const [none] = tally([place], []);

  expect(one).toMatchObject({ runs: 1, leftOut: 1, killed: 1, strength: 1 / trials.length });
  expect([...(one?.kills ?? [])]).toEqual([["cost.max_total_tokens", 1]]);
  expect(none).toMatchObject({ runs: 0, strength: null });
});

describe("a query whose runs are judged together", () => {
  const place = { spec: "s", queryId: "q" };
  const trials = tried({ correctness: { expected_in_answer: ["40.50"] }, cost: { max_total_tokens: 1000 } });
  const ofFive = Array.from({ length: 5 }, () => ({ ...place, trials }));

  test.each([
    [{ minPassRate: 0.8 }, { runs: 5, tolerated: 1, failsFrom: 2 }],
    [{ minPassRate: 1 }, { runs: 5, tolerated: 0, failsFrom: 1 }],
    [
      { minRuns: 10, minPassRate: 0.8 },
      { runs: 10, tolerated: 2, failsFrom: 3 },
    ],
    [
      { minPassRate: 0.9, confidence: 0.95 },
      { runs: 5, tolerated: null, failsFrom: 2 },
    ],
    [{ passAtK: [{ k: 1, min: 0.5 }] }, { runs: 5, tolerated: 2, failsFrom: 3 }],
    [
      { minMeanScore: 80, minPassRate: 0.6 },
      { runs: 5, tolerated: 2, failsFrom: 3 },
    ],
  ])("by %j: how many faulty runs get through", (reliability, expected) => {
    const [query] = tally([{ ...place, reliability }], ofFive);

    expect(query?.repeated).toMatchObject(expected);
  });

  test("only mutants that fail their run count, warnings do not", () => {
    const [query] = tally([{ ...place, reliability: { minPassRate: 0.8 } }], [{ ...place, trials }]);
    const answers = trials.filter(({ by }) => by.includes("correctness.expected_in_answer"));

    expect(answers.length).toBeGreaterThan(0);
    expect(query?.killed).toBe(answers.length + 1);
    expect(query?.repeated?.counted).toBe(answers.length);
  });

  test("any other query says nothing of it", () => {
    expect(tally([place], ofFive)[0]?.repeated).toBeNull();
    // These let no single failure pass.
    for (const reliability of [{ minRuns: 5 }, { confidence: 0.95 }, { minMeanScore: 70 }])
      expect(tally([{ ...place, reliability }], ofFive)[0]?.repeated).toBeNull();
  });
});
