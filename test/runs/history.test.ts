import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histories, readMessages } from "../../src/runs/notations/message.ts";

const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "],[", '{"a":[', "Zürich 🙂"));
const message = fc.record({
  role: fc.constantFrom("user", "assistant", "tool"),
  content: text.map((content) => content.padEnd(80, "…")),
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
        for (const window of windows)
          for (const written of [
            write(window),
            `{"messages":${write(window)}}`,
            `{ "model": "x", "messages":${write(window)}, "top": [1] }`,
          ])
            expect(histories.read(written, "user")).toEqual(readMessages(written, "user"));
      }),
    );
  });

  it.each(["[", "]", '[{"a":1}', '[{"a":1},]', '[{"a":1}] x', '[{"a":1} {"b":2}]'])(
    "reads what is no JSON as it would alone, though its beginning is known: %s",
    (end) => {
      const known = JSON.stringify(["a", "b"].map((word) => ({ role: "user", content: word.repeat(300) })));
      const histories = new Histories();
      histories.read(known, "user");
      const text = `${known.slice(0, -1)},${end}`;
      expect(histories.read(text, "user")).toEqual(readMessages(text, "user"));
    },
  );
});
