import { describe, expect, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import type { TraceEntry } from "../../src/assemble/trace-entry.ts";
import { hexOf } from "../../src/otlp/bytes/text.ts";
import { document, logDocument } from "../support/otlp.ts";
import { batchIn, ledgerOver } from "./ledger-of-test.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [string, string, string];

function spansOf(traceIds: readonly string[]) {
  const spans = traceIds.map((traceId) => ({ traceId, spanId: "2".repeat(16), name: "chat" }));
  return batchIn(document(spans));
}

function logsWithoutTrace() {
  return batchIn(logDocument([{ timeUnixNano: "1760000000000000000", body: { stringValue: "text" } }]));
}

/**
 * A ledger over three requests: 0 has spans of a, 1 of a and b, 2 of b and c. `faulty` positions throw each
 * time they are released.
 */
function threeRequests(faulty: readonly number[]) {
  const released: number[] = [];
  const errors: unknown[] = [];
  const assembler = new Assembler({ ...defaultTraceTimeouts, lateBytes: 0 }, 1);
  const release = (place: number): void => {
    released.push(place);
    if (faulty.includes(place)) throw new Error(`injected at ${place}`);
  };
  const ledger = ledgerOver({ release }, { onError: (error) => void errors.push(error) });
  for (const [place, traceIds] of [[a], [a, b], [b, c]].entries()) {
    const batch = spansOf(traceIds);
    ledger.took(batch, place, assembler.add(batch, 0), null, 0);
  }
  return { ledger, assembler, released, errors };
}

describe.each([[[]], [[0]], [[1]], [[2]], [[0, 1, 2]]])("releases of %j throw", (faulty) => {
  test.each([
    [
      [[a], [b], [c]],
      [[0], [0, 1], [0, 1, 2]],
    ],
    [
      [[c], [b], [a]],
      [[], [2], [0, 1, 2]],
    ],
    [
      [[a, c], [b]],
      [[0], [0, 1, 2]],
    ],
    [[[a, b, c]], [[0, 1, 2]]],
  ])(
    "traces finish in order %#: a request is released once, when its last trace finishes",
    async (order, expected) => {
      const { ledger, assembler, released, errors } = threeRequests(faulty);
      for (const entry of entriesOf(assembler)) ledger.released(entry);
      for (const [step, traceIds] of order.entries()) {
        expect(await ledger.finish(traceIds, 0, () => [])).toBe(true);
        expect(await ledger.finish(traceIds, 0, () => [])).toBe(true);
        expect(released.toSorted((left, right) => left - right)).toEqual(expected[step]);
      }
      expect([a, b, c].filter((traceId) => ledger.retains(traceId))).toEqual([]);
      expect(errors).toHaveLength(faulty.length);
    },
  );

  test("abandoned traces drop each request once", async () => {
    const { ledger, assembler, released, errors } = threeRequests(faulty);
    for (const entry of entriesOf(assembler)) await ledger.abandoned(entry);
    expect(released.toSorted((left, right) => left - right)).toEqual([0, 1, 2]);
    expect(errors).toHaveLength(faulty.length);
  });
});

test("a release that throws does not drop log records without a trace twice", async () => {
  const { ledger, released, errors } = threeRequests([7]);
  for (const place of [6, 7, 8]) ledger.took(logsWithoutTrace(), place, 0, { mayJoin: () => false }, 0);
  expect(await ledger.finish([], 2_000, () => [])).toBe(true);
  expect(await ledger.finish([], 4_000, () => [])).toBe(true);
  expect(released).toEqual([6, 7, 8]);
  expect(errors).toHaveLength(1);
});

function entriesOf(assembler: Assembler): TraceEntry[] {
  const entries: TraceEntry[] = [];
  assembler.relinquish(
    (entry) => entries.push(entry) === 0,
    () => false,
  );
  return entries.sort((left, right) => hexOf(left.id).localeCompare(hexOf(right.id)));
}
