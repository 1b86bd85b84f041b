import { type FaultKind, faultNames } from "../../model/fault-kinds.ts";

/** A fault at one model call of each run, or from one on. */
export interface Fault {
  readonly kind: FaultKind;
  /** From 1. */
  readonly at: number;
  /** At every call from there on. */
  readonly isLasting: boolean;
}

/** Reads `KIND@N` or `KIND@N+`; without a place it is the first call. Null for anything else. */
export function parseFault(text: string): Fault | null {
  const [, name, digits, plus] = /^([a-z-]+)(?:@([1-9]\d{0,3})(\+)?)?$/.exec(text) ?? [];
  const kind = faultNames.find((one) => one === name);
  if (kind === undefined) return null;
  return { kind, at: digits === undefined ? 1 : Number(digits), isLasting: plus !== undefined };
}

export function formatFault({ kind, at, isLasting }: Fault): string {
  return `${kind}@${at}${isLasting ? "+" : ""}`;
}
