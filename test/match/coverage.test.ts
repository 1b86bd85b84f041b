import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnmatchedTraffic } from "../../src/match/coverage.ts";

function clustersOf(texts: readonly (string | null)[]) {
  const traffic = new UnmatchedTraffic();
  for (const [at, query] of texts.entries()) traffic.add({ query, agent: "shop", runId: `run-${at}` });
  return { clusters: traffic.clusters(), withoutText: traffic.withoutText };
}

describe("traffic that no query is about", () => {
  test("is drawn together by what was asked, whatever its case, spaces and end", () => {
    const { clusters } = clustersOf(["Cancel my order", "cancel  my order!", "Refund me", "Cancel my order"]);

    expect(clusters).toMatchObject([
      { text: "Cancel my order", runs: 3, texts: 1, pattern: null, agent: "shop" },
      { text: "Refund me", runs: 1 },
    ]);
  });

  test("that differs in numbers only is one question, with a pattern", () => {
    const { clusters } = clustersOf([
      "Is order 81 from 2025-01-02 late?",
      "Is order 7 from 2025-03-04 late?",
    ]);

    expect(clusters).toMatchObject([{ runs: 2, texts: 2, pattern: "Is order {number} from {number2} late" }]);
  });

  test("without text is counted", () => {
    expect(clustersOf([null, " ", "hi"])).toMatchObject({ withoutText: 2, clusters: [{ text: "hi" }] });
  });

  test("gives the same clusters in any order, and loses none", () => {
    const texts = fc.array(fc.constantFrom("a 1", "A 2", "b", "B!", "c 3 4", "c 5 6"), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (asked) => {
        const strip = (list: readonly string[]) =>
          clustersOf(list).clusters.map(({ text, runs, pattern }) => ({ text, runs, pattern }));
        expect(strip([...asked].reverse())).toEqual(strip(asked));
        expect(clustersOf(asked).clusters.reduce((sum, { runs }) => sum + runs, 0)).toBe(asked.length);
      }),
    );
  });
});
