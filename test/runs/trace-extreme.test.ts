import fc from "fast-check";
import { expect, test } from "vitest";
import { TraceExtreme } from "../../src/runs/assembly/trace-extreme.ts";

test("the least number of all traces but one, for every one", () => {
  const value = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom("a", "b", "c"));
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const extreme = new TraceExtreme();
      for (const [number, trace] of values) extreme.add(number, trace);
      for (const left of ["a", "b", "c", "d"]) {
        const others = values.filter(([, trace]) => trace !== left).map(([number]) => number);
        expect(extreme.besides(left)).toBe(Math.min(Infinity, ...others));
      }
    }),
  );
});
