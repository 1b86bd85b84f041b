import { createHash } from "node:crypto";
import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../src/support/structures/sha256.ts";

const reference = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 100_000])("agrees with the platform on %i characters", (n) => {
  const text = "aé€".repeat(n).slice(0, n);
  expect(sha256(text)).toBe(reference(text));
});

test("agrees with the platform on any well-formed text", () => {
  assert(
    property(string({ unit: "grapheme" }), (text) => {
      expect(sha256(text)).toBe(reference(text));
    }),
  );
});
