import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { flipSource, isFlaky } from "../../src/report/statistics/groups/group.ts";
import type { Observation } from "../../src/report/statistics/observation.ts";
import { normalizeAnswer, similarAtLeast } from "../../src/report/statistics/estimates/similarity.ts";

const terms = "our return window is 30 days from the date of delivery for all items";
const termsAgain = "our return window is 30 days from the day of delivery for all items";

function run(outcome: Outcome, known: Omit<Partial<Observation>, "outcome"> = {}): Observation {
  return { key: "q", outcome, metrics: new Map(), ...known };
}

describe("flip source, AgentCI's stability tests", () => {
  it("a paraphrase with a judge: mixed; without one: the agent", () => {
    const judged = [
      run("pass", { answer: terms, tools: [] }),
      run("fail", { answer: termsAgain, tools: [] }),
    ];
    expect(flipSource(judged)).toBe("mixed");
    expect(flipSource(judged.map((one) => ({ ...one, judgePassed: null })))).toBe("agent");
  });

  it("an error beside runs that agree: the infrastructure", () => {
    expect(flipSource([run("pass"), run("error"), run("pass")])).toBe("infrastructure");
    expect(flipSource([run("error"), run("error")])).toBeNull();
  });

  it("only the judge's result changed: the judge only where tools and answer are equal", () => {
    const flipped = (answers: readonly [string, string], tools: readonly [string[], string[]]) => [
      run("pass", { answer: answers[0], tools: tools[0], deterministicPassed: true, judgePassed: true }),
      run("fail", { answer: answers[1], tools: tools[1], deterministicPassed: true, judgePassed: false }),
    ];
    const rate = "4.5% APR on all standard cards.";
    expect(flipSource(flipped([rate, rate], [["kb"], ["kb"]]))).toBe("judge");
    expect(flipSource(flipped([rate, "Standard cards carry 4.5% a year."], [["kb"], ["kb"]]))).toBe("agent");
    expect(flipSource(flipped([rate, rate], [["kb"], ["search"]]))).toBe("agent");
    expect(flipSource(flipped([terms, termsAgain], [["kb"], ["kb"]]))).toBe("mixed");
    const unknown = flipped([rate, rate], [["kb"], ["kb"]]).map((one) => ({ ...one, answer: null }));
    expect(flipSource(unknown)).toBeNull();
  });

  it("a check's result changed: the agent, though the answers are nearly the same", () => {
    const runs = [
      run("pass", { answer: terms, tools: [], deterministicPassed: true, judgePassed: true }),
      run("fail", { answer: termsAgain, tools: [], deterministicPassed: false, judgePassed: null }),
    ];
    expect(flipSource(runs)).toBe("agent");
  });

  it("errors and cut-off runs do not blur what decided runs show", () => {
    const runs = [
      run("pass", { tools: ["a"] }),
      run("fail", { tools: ["b"] }),
      run("error"),
      run("incomplete"),
    ];
    expect(flipSource(runs)).toBe("agent");
  });

  it("too little is known: no source rather than a guess", () => {
    expect(flipSource([run("pass"), run("fail")])).toBeNull();
    expect(flipSource([run("pass", { answer: "x", tools: null }), run("fail", { answer: "x" })])).toBeNull();
  });

  it.each([
    { outcomes: ["pass", "fail"], flaky: true },
    { outcomes: ["pass", "warn", "pass"], flaky: false },
    { outcomes: ["fail", "fail"], flaky: false },
    { outcomes: ["pass", "error"], flaky: true },
    { outcomes: ["error", "error"], flaky: false },
    { outcomes: ["pass", "incomplete", "skip"], flaky: false },
    { outcomes: [], flaky: false },
  ] as const)("$outcomes: flaky $flaky", ({ outcomes, flaky }) => {
    expect(isFlaky(outcomes.map((outcome) => run(outcome)))).toBe(flaky);
  });
});

describe("similarity of answers", () => {
  it("normalises white space and case only", () => {
    expect(normalizeAnswer("  The\n Rate\tis 4.5% ")).toBe("the rate is 4.5%");
  });

  it("counts what would have to be inserted and deleted", () => {
    // "abcdef" and "abcxef" share 5 of 6 characters: 2·5/12 = 0.833
    expect(similarAtLeast("abcdef", "abcxef", 0.83)).toBe(true);
    expect(similarAtLeast("abcdef", "abcxef", 0.84)).toBe(false);
    expect(similarAtLeast(terms, termsAgain, 0.9)).toBe(true);
    expect(similarAtLeast("totally different text", "qqqq zzzz 12345", 0.5)).toBe(false);
    expect(similarAtLeast("", "", 1)).toBe(true);
    expect(similarAtLeast("a", "", 0.1)).toBe(false);
    expect(similarAtLeast("short", "short and much longer than that", 0.9)).toBe(false);
  });

  it("is quick for very long answers, which count by their beginning", () => {
    const long = "lorem ipsum ".repeat(100_000);
    expect(similarAtLeast(long, `${long}!`, 0.9)).toBe(true);
    expect(similarAtLeast(long, "dolor sit amet ".repeat(400), 0.9)).toBe(false);
  });
});
