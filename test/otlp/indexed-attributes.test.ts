import fc from "fast-check";
import { expect, it } from "vitest";
import type { AttributesView } from "../../src/model/telemetry/span-view.ts";
import { viewSpan } from "../../src/otlp/rows/span-view.ts";
import { batchIn } from "../support/runs.ts";
import { document, span } from "../support/otlp.ts";

type Row = readonly [key: string, value: string | number];

function view(rows: readonly Row[]): AttributesView {
  const attributes = rows.map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
  return viewSpan(batchIn(document([span("1", undefined, "chat", 0, 1, {}, { attributes })])), 0, []);
}

const item = fc.oneof(fc.nat(5), fc.constantFrom("x", "007"));
const part = fc.constantFrom("role", "content", "calls.0.name", "calls.1.name", "");
const value = fc.oneof(fc.constantFrom("a", 'with "quotes"', "Zürich", "b".repeat(300)), fc.nat(2));
const row = fc.tuple(item, part, value).map(([at, name, of]): Row => [`m.${at}.${name}`, of]);
const other = fc.constantFrom<Row>(["model", "gpt"], ["mm.0.role", "user"]);
const conversation = fc
  .array(fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), value), { maxLength: 5 })
  .map((items) => items.flatMap(([parts, of], at) => parts.map((name): Row => [`m.${at}.${name}`, of])));
const rows = fc.oneof(conversation, fc.array(fc.oneof(row, other), { maxLength: 10 }));

it("the tree of indexed keys like an earlier one is the tree that is read alone, whatever the two have in common", () => {
  fc.assert(
    fc.property(rows, rows, fc.nat(12), (before, after, kept) => {
      const earlier = view(before);
      const like = { view: earlier, value: earlier.tree("m") };
      for (const now of [after, [...before.slice(0, kept), ...after], [...before, ...after]])
        expect(view(now).tree("m", like)).toEqual(view(now).tree("m"));
    }),
    { numRuns: 200 },
  );
});
