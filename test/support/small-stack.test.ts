import { expect, test } from "vitest";
import { onSmallStack, TOO_DEEP, TOO_MANY_ARGUMENTS } from "./small-stack.ts";

const inputs = Array.from({ length: TOO_MANY_ARGUMENTS }, () => 1);

function sum([first = 0, ...others]: readonly number[], at = 0): number {
  return at === TOO_DEEP ? first : first + sum(others.slice(0, 2), at + 1);
}

test("functions that spread or recur fail with less input than on the whole stack", () => {
  expect([Math.max(...inputs), sum([1, 1])]).toEqual([1, expect.any(Number)]);
  expect(() => onSmallStack(() => Math.max(...inputs))).toThrow(RangeError);
  expect(() => onSmallStack(() => sum([1, 1]))).toThrow(RangeError);
  expect(onSmallStack(() => inputs.length)).toBe(TOO_MANY_ARGUMENTS);
});
