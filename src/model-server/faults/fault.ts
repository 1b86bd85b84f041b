import { type FaultKind, faultNames } from "../../model/fault-kinds.ts";

/** A fault that is injected at one model call of each run, or at one call and all later calls. */
export interface Fault {
  readonly kind: FaultKind;
  /** Number of the model call, from 1. */
  readonly at: number;
  /** Whether the fault also occurs at every later call. */
  readonly isLasting: boolean;
}

/** Parses `"KIND@N"` or `"KIND@N+"`. Without `@N`, the fault is at the first model call. Returns null for other texts. */
export function parseFault(text: string): Fault | null {
  const [, name, digits, plus] = /^([a-z-]+)(?:@([1-9]\d{0,3})(\+)?)?$/.exec(text) ?? [];
  const kind = faultNames.find((one) => one === name);
  if (kind === undefined) return null;
  return { kind, at: digits === undefined ? 1 : Number(digits), isLasting: plus !== undefined };
}

export function formatFault({ kind, at, isLasting }: Fault): string {
  return `${kind}@${at}${isLasting ? "+" : ""}`;
}
