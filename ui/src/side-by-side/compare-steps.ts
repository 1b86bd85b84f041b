import type { Row } from "../run/rows.ts";
import type { JsonValue, RunJson } from "../types.ts";
import { alignSteps } from "./align-steps.ts";

/** A part of a step, such as its input, in one or both runs. */
export interface Part {
  readonly name: string;
  readonly a: JsonValue;
  readonly b: JsonValue;
}

export interface StepPair {
  readonly a: Row | null;
  readonly b: Row | null;
  readonly parts: readonly Part[];
  /** Names of the parts that differ; empty if only one run has the step. */
  readonly differing: readonly string[];
}

/**
 * Returns pairs of steps with their differences. `a` and `b` are the rows of the steps of both runs, without the rows of the runs
 * themselves.
 */
export function compareSteps(
  runs: { readonly a: RunJson; readonly b: RunJson },
  a: readonly Row[],
  b: readonly Row[],
): readonly StepPair[] {
  return alignSteps(a, b).map((pair) => {
    const [partsA, partsB] = [partsOf(runs.a, pair.a), partsOf(runs.b, pair.b)];
    const names = [...new Set([...Object.keys(partsA), ...Object.keys(partsB)])];
    const parts = names
      .map((name) => ({ name, a: partsA[name] ?? null, b: partsB[name] ?? null }))
      .filter((part) => part.a !== null || part.b !== null);
    const isPair = pair.a !== null && pair.b !== null;
    const differing = isPair ? parts.filter((part) => canonical(part.a) !== canonical(part.b)) : [];
    return { ...pair, parts, differing: differing.map(({ name }) => name) };
  });
}

function partsOf(run: RunJson, row: Row | null): Readonly<Record<string, JsonValue>> {
  const step = row?.step;
  if (step == null) return {};
  switch (step.kind) {
    case "tool": {
      const call = run.tools[step.index];
      return { arguments: call?.arguments ?? null, result: call?.result ?? null, error: call?.error ?? null };
    }
    case "model": {
      const call = run.llm[step.index];
      return {
        model: call?.model ?? null,
        "finish reason": call?.finish_reason ?? null,
        error: call?.error ?? null,
      };
    }
    case "handoff": {
      const handoff = run.handoffs[step.index];
      return { from: handoff?.from ?? null, to: handoff?.to ?? null };
    }
    case "retrieval": {
      const retrieval = run.retrievals[step.index];
      const documents = retrieval?.documents.map(({ id, content }) => id ?? content) ?? null;
      return { query: retrieval?.query ?? null, documents };
    }
    case "guardrail":
      return { triggered: run.guardrails[step.index]?.triggered ?? null };
  }
}

/** Returns JSON with sorted keys, so that equal values have equal texts. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** A group of successive equal steps, or a single pair of steps that differ. */
export type Stretch = { readonly equal: readonly StepPair[] } | { readonly pair: StepPair };

/** Minimum number of successive equal steps that are folded. */
const FOLDED_FROM = 3;

export function foldEqual(pairs: readonly StepPair[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let equal: StepPair[] = [];
  const close = (): void => {
    if (equal.length >= FOLDED_FROM) stretches.push({ equal });
    else stretches.push(...equal.map((pair) => ({ pair })));
    equal = [];
  };
  for (const pair of pairs) {
    if (isEqual(pair)) equal.push(pair);
    else {
      close();
      stretches.push({ pair });
    }
  }
  close();
  return stretches;
}

export function isEqual({ a, b, differing }: StepPair): boolean {
  return a !== null && b !== null && differing.length === 0;
}
