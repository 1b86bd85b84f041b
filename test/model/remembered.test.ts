import { describe, expect, it } from "vitest";
import { remembered } from "../../src/support/structures/bounded-memo.ts";

describe("what is told of a name", () => {
  it("is worked out once, also where it is false", () => {
    const asked: string[] = [];
    const isLong = remembered((name) => asked.push(name) > 0 && name.length > 3);
    expect([isLong("ab"), isLong("ab"), isLong("abcd"), isLong("abcd")]).toEqual([false, false, true, true]);
    expect(asked).toEqual(["ab", "abcd"]);
  });

  it("is right for more names than are remembered, and for very long ones", () => {
    const length = remembered((name) => name.length);
    const names = Array.from({ length: 5000 }, (_, at) => "x".repeat(at % 300) + String(at));
    for (const name of [...names, ...names]) expect(length(name)).toBe(name.length);
  });
});
