import fc from "fast-check";
import { expect, test } from "vitest";
import type { LlmCall } from "../../src/runs/fragments/llm-call.ts";
import { withoutDuplicates } from "../../src/runs/assembly/duplicate-calls.ts";

const callOf = fc
  .record({
    scopeName: fc.constantFrom("framework", "client", "gateway"),
    id: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
    output: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
    start: fc.nat({ max: 6 }),
    takes: fc.nat({ max: 6 }),
    messages: fc.nat({ max: 3 }),
  })
  .map(
    ({ scopeName, id, output, start, takes, messages }) =>
      ({
        node: { span: { scopeName } },
        start,
        end: start + takes,
        counts: { output },
        inputs: Array.from({ length: messages }),
        outputs: [],
        field: () => id,
      }) as unknown as LlmCall,
  );

function isSame(a: LlmCall, b: LlmCall): boolean {
  if (a.node.span.scopeName === b.node.span.scopeName) return false;
  const id = a.field("responseId");
  if (id !== undefined && id === b.field("responseId")) return true;
  const [outer, inner] = a.end - a.start >= b.end - b.start ? [a, b] : [b, a];
  const within = inner.start >= outer.start && inner.end <= outer.end;
  return within && a.counts.output !== undefined && a.counts.output === b.counts.output;
}

/** Each call compared with all that stay. */
function plainly(calls: readonly LlmCall[]): LlmCall[] {
  const kept: LlmCall[] = [];
  for (const call of calls) {
    const duplicate = kept.findIndex((other) => isSame(other, call));
    const other = kept[duplicate];
    if (other === undefined) kept.push(call);
    else if (other.inputs.length < call.inputs.length) kept[duplicate] = call;
  }
  return kept;
}

test("of calls that two instrumentations show the richer stays, as by comparing each pair", () => {
  fc.assert(
    fc.property(fc.array(callOf, { maxLength: 14 }), (some) => {
      const calls = some.toSorted((a, b) => a.start - b.start);
      expect(withoutDuplicates(calls)).toEqual(plainly(calls));
    }),
    { numRuns: 2000 },
  );
});
