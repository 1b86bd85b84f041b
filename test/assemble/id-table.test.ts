import fc from "fast-check";
import { expect, test } from "vitest";
import { type Identified, IdTable } from "../../src/assemble/ids/id-table.ts";

type Words = [number, number, number, number];

class Entry implements Identified {
  readonly id: Words;
  readonly value: number;

  constructor(id: Words, value: number) {
    this.id = id;
    this.value = value;
  }

  hasId(...words: Words): boolean {
    return this.id.every((word, at) => word === words[at]);
  }
}

const word = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer());
const id = fc.tuple(word, word, word, word);

test("a table of ids answers as a map would, through any sequence of sets and deletes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("set", "delete", "get"), id, fc.integer()), { maxLength: 400 }),
      fc.integer(),
      (steps, seed) => {
        const table = new IdTable<Entry>(seed);
        const map = new Map<string, number>();
        for (const [step, words, value] of steps) {
          const name = words.join();
          if (step === "set") {
            table.set(new Entry(words, value));
            map.set(name, value);
          } else if (step === "delete") {
            table.delete(...words);
            map.delete(name);
          }
          expect(table.get(...words)?.value).toBe(map.get(name));
        }
        expect(table.size).toBe(map.size);
        expect(new Set(Array.from(table.values(), ({ value }) => value))).toEqual(new Set(map.values()));
      },
    ),
  );
});
