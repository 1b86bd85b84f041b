import type { Rejected } from "./rows/batch.ts";

/** Counts the rejected spans of one request, and keeps the reason for the first rejection. */
export class Rejections {
  private count = 0;
  private reason = "";

  reset(): void {
    this.count = 0;
    this.reason = "";
  }

  /** @param index index of the span in the request, from 0 */
  add(index: number, reason: string): void {
    if (this.count === 0) this.reason = `span ${index}: ${reason}`;
    this.count++;
  }

  result(): Rejected {
    return { count: this.count, reason: this.reason };
  }
}

/** Returns the reason why a trace or span id with `length` bytes is rejected. */
export function badId(what: "trace id" | "span id", length: number): string {
  const bytes = what === "trace id" ? 16 : 8;
  if (length === 0) return `${what} is missing`;
  if (length === bytes) return `${what} is all zero`;
  return `${what} has ${length} bytes instead of ${bytes}`;
}
