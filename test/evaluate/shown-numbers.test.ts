import { expect, test } from "vitest";
import { grouped } from "../../src/evaluate/rules/text.ts";

test.each([
  [0, "0"],
  [0.00012, "0.00012"],
  [-0.000072, "-0.000072"],
  [0.00049999, "0.0005"],
  [0.0005, "0.001"],
  [0.3333, "0.333"],
  [1e-9, "1e-9"],
  [4200, "4,200"],
  [-1234.5, "-1,234.5"],
])("%d is shown as %s, and only zero as 0", (value, text) => {
  expect(grouped(value)).toBe(text);
});
