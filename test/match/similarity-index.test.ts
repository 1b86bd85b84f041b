import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseText } from "../../src/match/rules/normalise.ts";
import { similarity } from "../../src/match/rules/similarity.ts";
import { SimilarityIndex } from "../../src/match/index/similarity-index.ts";
import { sampleSpec } from "./sample-spec.ts";

const word = fc.oneof(
  fc.constantFrom("refund", "order", "my", "the", "a", "reset", "password", "flight", "東京", "ß", "café"),
  fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 1, maxLength: 6 }),
);
const sentence = fc.array(word, { maxLength: 14 }).map((words) => words.join(" "));
const least = fc.constantFrom(0.3, 0.5, 0.66, 0.7, 0.8, 0.85, 0.9, 0.97, 1);

/** A text, and what becomes of it when some letters are taken out, put in, and its words are turned round. */
const changed = (of: string) =>
  fc
    .tuple(fc.array(fc.nat({ max: 200 }), { maxLength: 6 }), fc.boolean(), fc.boolean())
    .map(([places, puts, turns]) => {
      let text = turns ? of.split(" ").toReversed().join(" ") : of;
      for (const place of places) {
        const at = place % (text.length + 1);
        text = `${text.slice(0, at)}${puts ? "xy " : ""}${text.slice(puts ? at : at + 2)}`;
      }
      return text;
    });

test("finds the queries that comparing with each of them finds", () => {
  const asked = fc
    .array(fc.record({ text: sentence, similarity: least }), { minLength: 1, maxLength: 90 })
    .chain((queries) =>
      fc.record({
        queries: fc.constant(queries),
        text: fc.oneof(
          sentence,
          fc.constantFrom(...queries).chain(({ text }) => changed(text)),
        ),
      }),
    );
  fc.assert(
    fc.property(asked, ({ queries, text }) => {
      const compiled = sampleSpec(queries).queries;
      const expected = compiled.flatMap((query) => {
        const score = similarity(normaliseText(text), normaliseText(query.text));
        return score >= (query.match.similarity ?? 2) ? [{ id: query.id, score }] : [];
      });
      const found = new SimilarityIndex(compiled).hits(text);
      expect(found.map(({ query, score }) => ({ id: query.id, score }))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
