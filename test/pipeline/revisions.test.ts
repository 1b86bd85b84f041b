import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Revisions } from "../../src/pipeline/revisions.ts";

describe("revisions of verdicts", () => {
  test("go on from what an earlier process said", () => {
    const revisions = new Revisions();
    revisions.resume("a", 4);
    expect(revisions.next("a")).toBe(5);
  });

  test("are those of a map, whatever the ids", () => {
    const ids = fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.uuid()), { maxLength: 3000 });
    fc.assert(
      fc.property(ids, fc.integer(), (some, seed) => {
        const revisions = new Revisions(seed);
        const told = new Map<string, number>();
        for (const id of some) {
          told.set(id, (told.get(id) ?? 0) + 1);
          expect(revisions.next(id)).toBe(told.get(id));
        }
      }),
    );
  });

  test("of the last 100,000 verdicts are known, those of long ago are forgotten", () => {
    const revisions = new Revisions(7);
    const idOf = (at: number): string => `${at.toString(16).padStart(32, "0")}-0f1e-${at % 7}`;
    const given = (from: number, to: number): Set<number> => {
      const all = new Set<number>();
      for (let at = from; at < to; at++) all.add(revisions.next(idOf(at)));
      return all;
    };
    expect(given(0, 450_000)).toEqual(new Set([1]));
    expect(given(350_000, 450_000)).toEqual(new Set([2]));
    expect(given(5, 6)).toEqual(new Set([1]));
  });
});
