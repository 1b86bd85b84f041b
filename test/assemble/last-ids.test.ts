import fc from "fast-check";
import { expect, test } from "vitest";
import { LastIds } from "../../src/assemble/ids/last-ids.ts";

const word = fc.integer({ min: -2, max: 2 });
const id = fc
  .tuple(word, word, word, fc.oneof(word, fc.integer()))
  .filter((words) => words.some((one) => one !== 0));

test("the last ids are known as by a list, through any sequence of additions and deletions", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("add", "add", "delete"), id), { maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer(),
      (steps, most, seed) => {
        const ids = new LastIds(seed, most);
        // Where an id was deleted, its place stays empty until it comes round.
        const places: (string | null)[] = [];
        for (const [step, words] of steps) {
          const name = words.join();
          if (step === "delete") {
            ids.delete(...words);
            if (places.includes(name)) places[places.indexOf(name)] = null;
          } else if (!places.includes(name)) {
            ids.add(...words);
            places.push(name);
            if (places.length > most) places.shift();
          }
          expect(ids.has(...words)).toBe(places.includes(name));
        }
        const known = places.filter((name) => name !== null);
        expect(Array.from(ids.values(), (words) => words.join()).sort()).toEqual(known.sort());
        expect(ids.size).toBe(known.length);
      },
    ),
  );
});

test("it grows with what is in it, and forgets the oldest only when it may grow no more", () => {
  const ids = new LastIds(3, 5_000);
  for (let n = 1; n <= 12_000; n++) ids.add(n, 0, -n, 7);
  expect(ids.size).toBe(5_000);
  for (const n of [7_001, 9_000, 12_000]) expect(ids.has(n, 0, -n, 7)).toBe(true);
  for (const n of [1, 4_999, 7_000]) expect(ids.has(n, 0, -n, 7)).toBe(false);
});
