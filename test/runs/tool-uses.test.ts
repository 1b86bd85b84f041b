import fc from "fast-check";
import { expect, test } from "vitest";
import type { LlmCall } from "../../src/runs/fragments/llm-call.ts";
import type { SpanNode } from "../../src/runs/span/span-node.ts";
import type { RequestedToolCall } from "../../src/runs/assembly/requested-tools.ts";
import { canonicalArguments } from "../../src/runs/text/canonical-arguments.ts";
import type { ToolExecution } from "../../src/runs/assembly/tool-executions.ts";
import { sameTool } from "../../src/runs/text/same-tool.ts";
import type { ToolUse } from "../../src/runs/assembly/tool-use.ts";
import { matchUses } from "../../src/runs/assembly/tool-uses.ts";

const name = fc.constantFrom("search", "Search", "server.search", "book", undefined);
const args = fc.constantFrom(undefined, {}, { q: 1 }, { q: 2 });
const id = fc.constantFrom(undefined, "a", "b", "c", "d");

const askedOf = fc
  .record({ name, arguments: args, id, call: fc.nat({ max: 5 }) })
  .map((one): RequestedToolCall => ({
    ids: one.id === undefined ? [] : [one.id],
    name: one.name ?? null,
    arguments: one.arguments,
    call: one.call,
    result: undefined,
    earlier: false,
  }));
function spanOf(...traces: string[]): fc.Arbitrary<ToolExecution> {
  const [result, error] = [fc.constantFrom(undefined, "found"), fc.constantFrom(null, "failed")];
  return fc
    .record({ name, arguments: args, callId: id, start: fc.nat({ max: 9 }), result, error })
    .chain((one) => fc.constantFrom(...traces).map((traceId) => ({ ...one, traceId })))
    .map(({ start, traceId, ...one }) => ({
      ...one,
      nodes: [{ start, end: start + 1, span: { traceId } } as unknown as SpanNode],
    }));
}

function traceOf(span: ToolExecution | undefined): string | undefined {
  return span?.nodes[0].span.traceId;
}

/** An execution that stopped, and the same later in another trace. */
function resumes(earlier: ToolExecution, later: ToolExecution): boolean {
  return (
    earlier.result === undefined &&
    earlier.error === null &&
    earlier.nodes[0].start < later.nodes[0].start &&
    traceOf(earlier) !== traceOf(later) &&
    sameTool(earlier.name, later.name) &&
    canonicalArguments(earlier.arguments) === canonicalArguments(later.arguments)
  );
}

/** The rules one after the other, each use looked at for each span. */
function plainly(
  asked: readonly RequestedToolCall[],
  spans: readonly ToolExecution[],
  calls: readonly LlmCall[],
): ToolUse[] {
  const uses: ToolUse[] = asked.map((one) => ({
    requested: one,
    executions: [],
    at: calls[one.call]?.start ?? 0,
  }));
  const give = (span: ToolExecution, use: ToolUse | undefined): boolean => {
    use?.executions.push(span);
    use?.executions.sort((a, b) => a.nodes[0].start - b.nodes[0].start);
    return use === undefined;
  };
  const left = spans.filter((span) =>
    give(
      span,
      uses.find((use) => span.callId !== undefined && use.requested?.ids.includes(span.callId)),
    ),
  );
  const mayResume = spans.some((span) => traceOf(span) !== traceOf(spans[0]));
  const waiting = (span: ToolExecution): ToolUse | undefined =>
    mayResume
      ? uses.find((use) => use.executions.some((other) => resumes(other, span) || resumes(span, other)))
      : undefined;
  const openFor = (span: ToolExecution): ToolUse[] =>
    uses
      .filter((use) => use.executions.length === 0)
      .filter((use) => span.name === undefined || sameTool(use.requested?.name, span.name));
  const rest = left.filter((span) =>
    give(
      span,
      openFor(span).find(
        (use) => canonicalArguments(use.requested?.arguments) === canonicalArguments(span.arguments),
      ),
    ),
  );
  const alone = rest.filter((span) => {
    const first = span.name === undefined ? undefined : openFor(span)[0];
    const differs = first?.requested?.arguments !== undefined && span.arguments !== undefined;
    const isLater = differs && first.at > span.nodes[0].end;
    return give(span, (isLater ? undefined : first) ?? waiting(span));
  });
  for (const span of alone) {
    const { callId } = span;
    const sameId =
      callId === undefined ? undefined : uses.find((use) => use.executions[0]?.callId === callId);
    if (!give(span, waiting(span) ?? sameId)) continue;
    const at = span.nodes[0].start;
    const later = uses.findIndex((use) => use.at > at);
    uses.splice(later < 0 ? uses.length : later, 0, { requested: undefined, executions: [span], at });
  }
  return uses;
}

test.each([
  ["one trace", ["t"]],
  ["several traces", ["t", "u", "v"]],
] as const)(
  "tools that ran in %s are tied to those that were asked for as by looking at each pair",
  (_, traces) => {
    const calls = [3, 1, 4, 1, 5].map((start) => ({ start }) as LlmCall);
    const spansOf = fc.array(spanOf(...traces), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(askedOf, { maxLength: 8 }), spansOf, (asked, spans) => {
        expect(matchUses(asked, spans, calls)).toEqual(plainly(asked, spans, calls));
      }),
      { numRuns: 500 },
    );
  },
);
