import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histories } from "../../src/runs/messages/history.ts";

const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "],[", '{"a":[', "Zürich 🙂"));
const message = fc.record({
  role: fc.constantFrom("user", "assistant", "tool"),
  content: text.map((content) => content.padEnd(80, "…")),
  calls: fc.array(fc.record({ name: text, arguments: fc.object({ maxDepth: 2 }) }), { maxLength: 2 }),
});
const spaced = (list: unknown[]): string => `[${list.map((one) => JSON.stringify(one, null, 1)).join(", ")}]`;

describe("a history that goes on from the one read before", () => {
  it("reads as it would alone, whether it only grew, lost its beginning, or changed", () => {
    const lists = fc.array(message, { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(lists, fc.nat(3), fc.nat(8), fc.boolean(), (all, dropped, end, spaces) => {
        const write = (list: unknown[]): string => (spaces ? spaced(list) : JSON.stringify(list));
        const histories = new Histories();
        const windows = [all.slice(0, end), all.slice(dropped), all, [...all.slice(0, 2), "other", all[2]]];
        for (const window of windows) {
          for (const written of [write(window), `{ "model": "x", "messages":${write(window)}, "top": [1] }`])
            expect(histories.parse(written)).toEqual(JSON.parse(written));
        }
      }),
    );
  });

  it("shares what both hold, so that it need not be read again", () => {
    const all = ["one", "two", "three", "four"].map((word) => ({ role: "user", content: word.repeat(60) }));
    const histories = new Histories();
    const before = histories.parse(JSON.stringify(all.slice(0, 3))) as unknown[];
    const after = histories.parse(JSON.stringify(all.slice(1))) as unknown[];
    expect(after[0]).toBe(before[1]);
    expect(after[1]).toBe(before[2]);
  });

  it("shares the messages of a list inside a request", () => {
    const all = ["one", "two", "three"].map((word) => ({ role: "user", content: word.repeat(90) }));
    const histories = new Histories();
    const request = (messages: unknown[]) => JSON.stringify({ model: "x", messages, temperature: 0 });
    const before = histories.parse(request(all.slice(0, 2))) as { messages: unknown[] };
    const after = histories.parse(request(all)) as { messages: unknown[] };
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after).toEqual({ model: "x", messages: all, temperature: 0 });
  });

  it("keeps traces apart", () => {
    const list = JSON.stringify([{ content: "a".repeat(300) }, { content: "b" }]);
    const [one, other] = [new Histories().parse(list), new Histories().parse(list)] as unknown[][];
    expect(one?.[0]).not.toBe(other?.[0]);
  });

  it("is not misled by what follows the end of a list", () => {
    const list = JSON.stringify([{ content: "a".repeat(300) }, { content: "b" }]);
    const histories = new Histories();
    expect(histories.parse(`${list} `)).toHaveLength(2);
    expect(histories.parse(`${list},3]`)).toBeUndefined();
  });

  it.each(["[", "]", '[{"a":1}', '[{"a":1},]', '[{"a":1}] x', '[{"a":1} {"b":2}]'])(
    "gives nothing for what is no JSON, though its beginning is known: %s",
    (end) => {
      const known = [{ content: "a".repeat(300) }, { content: "b".repeat(300) }];
      const histories = new Histories();
      histories.parse(JSON.stringify(known));
      expect(histories.parse(JSON.stringify(known).slice(0, -1) + "," + end)).toBeUndefined();
    },
  );
});
