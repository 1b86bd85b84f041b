import { fisherExact } from "../tests/fisher.ts";

/** Attributes of a run that may explain a change; null for an unknown attribute. */
export interface Circumstances {
  readonly serviceVersion: string | null;
  /** Models of the run, as `modelsKey` returns them. */
  readonly models: string | null;
  readonly specHash: string | null;
  readonly tools: readonly string[] | null;
}

/** An attribute of the runs that changed at the same time as a measure. */
export interface Coincidence {
  readonly what: "service.version" | "model" | "spec" | "tool";
  /** Value that is less frequent after the change; null if no value became less frequent. */
  readonly from: string | null;
  /** Value that is more frequent after the change; null if no value became more frequent. */
  readonly to: string | null;
  /**
   * Share of runs before the change with the value `to`; if `to` is null, with the value `from`.
   * `shareAfter`: share of runs with this value after the change.
   */
  readonly shareBefore: number;
  readonly shareAfter: number;
}

/** Minimum change of a share that is reported, if it is also significant. */
const LEAST_CHANGE = 0.3;
const SIGNIFICANCE = 0.001;

interface Moved {
  readonly value: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the attributes that differ between the runs before and after a change. The order of the attributes
 * is service version, models, spec, then tools by the change of their share.
 */
export function coincidencesOf(
  before: readonly Circumstances[],
  after: readonly Circumstances[],
): Coincidence[] {
  const single = (
    what: Coincidence["what"],
    valueOf: (one: Circumstances) => string | null,
  ): Coincidence[] => {
    const values = (runs: readonly Circumstances[]) => runs.flatMap((run) => valueOf(run) ?? []);
    const moved = movedBetween(
      values(before).map((value) => [value]),
      values(after).map((value) => [value]),
    );
    const [to = null] = moved.filter(({ before: a, after: b }) => b > a).toSorted(byChange);
    const [from = null] = moved.filter(({ before: a, after: b }) => b < a).toSorted(byChange);
    return to === null && from === null ? [] : [coincidence(what, from, to)];
  };
  const tools = (runs: readonly Circumstances[]) => runs.flatMap(({ tools: used }) => (used ? [used] : []));
  return [
    ...single("service.version", ({ serviceVersion }) => serviceVersion),
    ...single("model", ({ models }) => models),
    ...single("spec", ({ specHash }) => specHash),
    ...movedBetween(tools(before), tools(after))
      .toSorted(byChange)
      .map((one) =>
        one.after > one.before ? coincidence("tool", null, one) : coincidence("tool", one, null),
      ),
  ];
}

function coincidence(what: Coincidence["what"], from: Moved | null, to: Moved | null): Coincidence {
  const shown = to ?? from;
  return {
    what,
    from: from?.value ?? null,
    to: to?.value ?? null,
    shareBefore: shown?.before ?? 0,
    shareAfter: shown?.after ?? 0,
  };
}

/** Returns the values whose share of runs changed significantly and by at least `LEAST_CHANGE`. */
function movedBetween(
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
): Moved[] {
  if (before.length === 0 || after.length === 0) return [];
  const [a, b] = [countsOf(before), countsOf(after)];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((value) => {
    const [inA, inB] = [a.get(value) ?? 0, b.get(value) ?? 0];
    const moved = { value, before: inA / before.length, after: inB / after.length };
    if (Math.abs(moved.after - moved.before) < LEAST_CHANGE) return [];
    const p = fisherExact([
      [inA, before.length - inA],
      [inB, after.length - inB],
    ]);
    return p <= SIGNIFICANCE ? [moved] : [];
  });
}

function countsOf(runs: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const values of runs) {
    for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function byChange(one: Moved, other: Moved): number {
  return Math.abs(other.after - other.before) - Math.abs(one.after - one.before);
}
