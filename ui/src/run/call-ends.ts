import type { RunJson, SpanJson, StepJson } from "../types.ts";

/** What follows a model call: tool calls that it requested, another agent, or the end of the agent's work. */
export type CallEnd = "tool" | "handoff" | "answer";

/**
 * Returns for each model call what follows it. This is known from the call's message, or else from the next step in time; if neither is
 * known, the map has no entry for the call.
 */
export function whatCallsLedTo(
  run: RunJson,
  spanOf: ReadonlyMap<string, SpanJson>,
): ReadonlyMap<StepJson, CallEnd> {
  const startOf = ({ start_unix_ms: start, span_id: id }: StepJson): number | null =>
    start ?? spanOf.get(id ?? "")?.start_unix_ms ?? null;
  const answers = run.messages.filter(({ role }) => role === "assistant");
  const hasOwnAnswers = answers.length === run.llm.length;
  // A tool call without a time can follow any model call. So a model call without a known next step counts as the last step only if all
  // steps have a time.
  const isTimed = run.steps.every((step) => startOf(step) !== null);
  const inOrder = run.steps
    .filter(({ kind }) => kind === "model" || kind === "tool" || kind === "handoff")
    .filter((step) => startOf(step) !== null)
    .toSorted((a, b) => (startOf(a) ?? 0) - (startOf(b) ?? 0));
  const nextOf = new Map(inOrder.map((step, at) => [step, inOrder[at + 1]?.kind]));
  const endOf = (step: StepJson): CallEnd | null => {
    const next = nextOf.get(step);
    const called = next === "tool" || next === "handoff" ? next : null;
    const own = hasOwnAnswers ? answers[step.index] : undefined;
    if (own !== undefined) return own.calls.length === 0 ? "answer" : (called ?? "tool");
    return called ?? (isTimed ? "answer" : null);
  };
  return new Map(
    run.steps.flatMap((step) => {
      const end = step.kind === "model" ? endOf(step) : null;
      return end === null ? [] : [[step, end] as const];
    }),
  );
}
