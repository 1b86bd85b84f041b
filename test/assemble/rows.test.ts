import fc from "fast-check";
import { expect, test } from "vitest";
import { sortedRows } from "../../src/assemble/batches/rows.ts";

test("rows are sorted as an array sorts itself, however many there are, and equal ones keep their order", () => {
  const rows = fc.array(fc.record({ key: fc.nat({ max: 9 }), came: fc.nat() }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, (given) => {
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(sortedRows(given, compare)).toEqual(given.toSorted(compare));
    }),
  );
});
