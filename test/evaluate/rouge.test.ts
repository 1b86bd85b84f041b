import { expect, test } from "vitest";
import { porterStem } from "../../src/evaluate/metrics/rouge/porter-stem.ts";
import { rouge1 } from "../../src/evaluate/metrics/rouge/rouge-1.ts";

/** What NLTK's `PorterStemmer` makes of them, each step of the algorithm among them. */
const stems = `caresses:caress ponies:poni flies:fli ties:tie cats:cat agreed:agre feed:feed plastered:plaster bled:bled motoring:motor
sing:sing conflated:conflat troubled:troubl sized:size hopping:hop falling:fall hissing:hiss fizzed:fizz filing:file happy:happi sky:sky
enjoy:enjoy dying:die relational:relat conditional:condit rational:ration valenci:valenc digitizer:digit radically:radic differently:differ
analogously:analog vietnamization:vietnam predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope
callousness:callous formality:formal sensitivity:sensit sensibility:sensibl hopefully:hope geology:geolog triplicate:triplic formative:form
electrical:electr goodness:good revival:reviv allowance:allow inference:infer adjustable:adjust replacement:replac adoption:adopt
communism:commun activate:activ effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll news:news`;

test("words are stemmed as NLTK does", () => {
  for (const pair of stems.split(/\s+/)) {
    const [word = "", stem] = pair.split(":");
    expect(`${word}:${porterStem(word)}`).toBe(`${word}:${stem}`);
  }
});

/** Scores of ADK's `response_match_score`. */
test.each<[string, string, number]>([
  ["You rolled 4.", "you ROLLED 4", 1],
  [
    "The order is shipping today; it arrives tomorrow.",
    "The order was shipped today and arrives tomorrow",
    0.75,
  ],
  ["a a a b", "a b b b", 0.5],
  ["naïve café", "cafe naïve", 0.5],
  ["東京タワー", "東京", 0.5714285714285715],
  ["ก่อน", "ก่อ", 0.8],
  ["", "Hello", 0],
  ["Hello", "", 0],
])("ROUGE-1 of %j and %j", (answer, reference, score) => {
  expect(rouge1(answer, reference)).toBe(score);
});
