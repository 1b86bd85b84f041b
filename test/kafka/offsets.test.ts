import fc from "fast-check";
import { expect, test } from "vitest";
import { PartitionOffsets } from "../../src/receive/kafka/partition-offsets.ts";
import { shareOut } from "../../src/receive/kafka/assigner.ts";

test("what may be committed never passes a record that is needed, in whatever order they are released", () => {
  const steps = fc.array(fc.oneof(fc.constant("take" as const), fc.nat(30)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.nat(1_000_000), (all, first) => {
      const offsets = new PartitionOffsets("t", 0);
      const needed: number[] = [];
      let next = first;
      for (const step of all) {
        if (step === "take") {
          needed.push(offsets.take(next).offset);
          next += 1 + (next % 3); // offsets have gaps where a topic is compacted
        } else {
          const [gone] = needed.splice(step % Math.max(1, needed.length), 1);
          if (gone !== undefined) offsets.release(gone);
        }
        const expected = needed.length > 0 ? Math.min(...needed) : offsets.position;
        expect(offsets.watermark).toBe(expected);
      }
    }),
  );
});

test("a record that was given back is read again and holds up what comes after it", () => {
  const offsets = new PartitionOffsets("t", 0);
  offsets.take(5);
  offsets.take(6);
  offsets.giveBack(6);
  offsets.release(5);
  expect([offsets.position, offsets.watermark]).toEqual([6, 6]);
});

const groups = fc.record({
  count: fc.nat(40),
  members: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
  claims: fc.array(fc.array(fc.nat(45), { maxLength: 40 }), { minLength: 8, maxLength: 8 }),
});

test("each partition goes to one member, and no member gets two more than another", () => {
  fc.assert(
    fc.property(groups, ({ count, members, claims }) => {
      const shares = shareOut(count, new Map(members.map((member, at) => [member, claims[at] ?? []])));
      const all = [...shares.values()].flat().sort((a, b) => a - b);
      expect(all).toEqual(Array.from({ length: count }, (_, number) => number));
      const sizes = [...shares.values()].map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test("a member that comes or goes moves no more partitions than it must", () => {
  const three = shareOut(12, new Map(["a", "b", "c"].map((member) => [member, []])));
  const four = shareOut(12, new Map([...three, ["d", []]]));
  const stayed = ["a", "b", "c"].flatMap((member) =>
    (four.get(member) ?? []).filter((number) => three.get(member)?.includes(number)),
  );
  expect(stayed).toHaveLength(9);
  const two = shareOut(12, new Map([...four].filter(([member]) => member === "a" || member === "b")));
  expect(two.get("a")).toEqual(expect.arrayContaining([...(four.get("a") ?? [])]));
});
