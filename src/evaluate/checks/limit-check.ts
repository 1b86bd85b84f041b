import { z } from "zod";
import { isAtLeast, isAtMost } from "../../support/structures/compare-limit.ts";
import { knownByNumber, pass, type Proof, violated } from "../result/finding.ts";
import { count, share } from "../rules/text.ts";
import { type Check, type CheckContext, type CheckSettings, defineCheck, type Finding } from "./check.ts";

/** Schema of a limit for a count. */
export const wholeNumber = z.int().min(0);
/** Schema of a limit for a share. */
export const fraction = z.number().min(0).max(1);

/** How a check measures a run, and the words of its messages. Compiled once for each query. */
interface Measured {
  /** Returns the measured value as text. A share has enough decimals to look different from `limit`. */
  readonly shown: (value: number, limit: number) => string;
  /** Formats the limit. Default: as a share. */
  readonly shownLimit?: (limit: number, value: number) => string;
  /** Returns the value of a run, or the finding for a run without a value. */
  readonly measure: (context: CheckContext) => number | Finding;
  /**
   * Returns a finding if missing evidence may change the result; otherwise undefined. `holds` is true if the known value is within the
   * limit.
   */
  readonly open?: (context: CheckContext, holds: boolean, limit: number) => Finding | undefined;
  /** Returns the evidence of a violation, and the end of its message. */
  readonly proof?: (
    context: CheckContext,
    value: number,
    limit: number,
  ) => Proof & { readonly text?: string };
}

type Declaration = Pick<Check, "key" | "layer" | "summary" | "details" | "needs"> &
  Partial<Pick<Check, "undoable" | "metric">> & {
    readonly limit: z.ZodType<number>;
    readonly bound: "at least" | "at most";
    readonly measured: (settings: CheckSettings) => Measured;
  };

/** Declares a check that compares one number of a run with its limit. A value equal to the limit passes. */
export function limitCheck({ bound, measured, ...declared }: Declaration): Check {
  const isMinimum = bound === "at least";
  const verb = isMinimum ? "required" : "allowed";
  return defineCheck({
    ...declared,
    prepare(limit, settings) {
      const { shown, shownLimit = share, measure, open, proof } = measured(settings);
      const textOf = (value: number): string =>
        `${shown(value, limit)}, ${bound} ${shownLimit(limit, value)} ${verb}`;
      const within = knownByNumber((value) => pass(value, textOf(value)));
      return (context) => {
        const value = measure(context);
        if (typeof value !== "number") return value;
        const holds = isMinimum ? isAtLeast(value, limit) : isAtMost(value, limit);
        const undecided = open?.(context, holds, limit);
        if (undecided !== undefined) return undecided;
        if (holds) return within(value);
        const { text = "", ...found } = proof?.(context, value, limit) ?? {};
        return violated(value, textOf(value) + text, found);
      };
    },
  });
}

/** Returns a function that names a count with its noun: `3 tool calls`. */
export function counted(noun: string): (value: number) => string {
  return (value) => count(value, noun);
}

/** Returns a function that names a share: `tool recall 0.5`. */
export function shared(name: string): (value: number, limit: number) => string {
  return (value, limit) => `${name} ${share(value, limit)}`;
}
