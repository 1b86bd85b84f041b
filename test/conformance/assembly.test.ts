import { expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { batchOf, type TestSpan } from "../support/spans.ts";

const child: TestSpan = { id: 2, parent: 1, start: 10 };
test.each<[string, readonly TestSpan[], number, string]>([
  ["comes first", [{ id: 1, start: 0 }, child], 6_000, "root_complete"],
  ["comes last", [child, { id: 1, start: 0 }], 6_000, "root_complete"],
  ["never comes", [child], 300_000, "idle"],
  ["comes twice over, as two", [{ id: 1, start: 0 }, { id: 3, start: 5 }, child], 6_000, "root_complete"],
  ["has a child whose parent is missing", [{ id: 1 }, { id: 2, parent: 9 }], 15_000, "root_partial"],
  ["is its own parent", [{ id: 1, parent: 1 }], 300_000, "idle"],
])(
  "A02 whatever its root does, a trace is released once, for the right reason: %s",
  (_what, spans, afterMs, reason) => {
    const assembler = new Assembler(defaultTraceTimeouts, 7);
    for (const span of spans) assembler.add(batchOf([span]), 0);

    expect(assembler.closeDue(afterMs - 1)).toEqual([]);
    expect(assembler.closeDue(afterMs).map(({ closeReason }) => closeReason)).toEqual([reason]);
    expect(assembler.closeDue(10_000_000)).toEqual([]);
  },
);
