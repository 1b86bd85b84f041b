import type { Rejected } from "./rows/batch.ts";

/** Counts the spans of one request that are refused, and keeps the first reason. */
export class Rejections {
  private count = 0;
  private reason = "";

  reset(): void {
    this.count = 0;
    this.reason = "";
  }

  /** `index` is the span's place in the request, counted from 0. */
  add(index: number, reason: string): void {
    if (this.count === 0) this.reason = `span ${index}: ${reason}`;
    this.count++;
  }

  result(): Rejected {
    return { count: this.count, reason: this.reason };
  }
}

/** Why a trace or span id of `length` bytes cannot be taken. */
export function badId(what: "trace id" | "span id", length: number): string {
  const bytes = what === "trace id" ? 16 : 8;
  if (length === 0) return `${what} is missing`;
  if (length === bytes) return `${what} is all zero`;
  return `${what} has ${length} bytes instead of ${bytes}`;
}
