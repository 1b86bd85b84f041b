import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/model/json.ts";
import { BodyText } from "../../src/otlp/bytes/text-bytes.ts";
import { Histories } from "../../src/runs/messages/history.ts";

/** Reads texts as spans hold them: as they are in a protobuf body, with escapes in a JSON body. */
class Reader {
  readonly #histories = new Histories();
  readonly #isEscaped: boolean;

  constructor(isEscaped = false) {
    this.#isEscaped = isEscaped;
  }

  parse(text: string): unknown {
    const written = new TextEncoder().encode(this.#isEscaped ? JSON.stringify(text) : ` ${text} `);
    const bytes = new BodyText(new DataView(written.buffer), 1, written.length - 2, this.#isEscaped);
    const known = this.#histories.continued(bytes);
    if (known !== undefined) return known;
    const value = parseJson(text);
    if (value !== undefined) this.#histories.retain(bytes, value);
    return value;
  }
}

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
      fc.property(
        lists,
        fc.nat(3),
        fc.nat(8),
        fc.boolean(),
        fc.boolean(),
        (all, dropped, end, spaces, escaped) => {
          const write = (list: unknown[]): string => (spaces ? spaced(list) : JSON.stringify(list));
          const histories = new Reader(escaped);
          const windows = [all.slice(0, end), all.slice(dropped), all, [...all.slice(0, 2), "other", all[2]]];
          for (const window of windows) {
            for (const written of [
              write(window),
              `{ "model": "x", "messages":${write(window)}, "top": [1] }`,
            ])
              expect(histories.parse(written)).toEqual(JSON.parse(written));
          }
        },
      ),
    );
  });

  it("shares what both hold, so that it need not be read again", () => {
    const all = ["one", "two", "three", "four"].map((word) => ({ role: "user", content: word.repeat(60) }));
    const histories = new Reader();
    const before = histories.parse(JSON.stringify(all.slice(0, 3))) as unknown[];
    const after = histories.parse(JSON.stringify(all.slice(1))) as unknown[];
    expect(after[0]).toBe(before[1]);
    expect(after[1]).toBe(before[2]);
  });

  it("shares the messages of a list inside a request", () => {
    const all = ["one", "two", "three"].map((word) => ({ role: "user", content: word.repeat(90) }));
    const histories = new Reader();
    const request = (messages: unknown[]) => JSON.stringify({ model: "x", messages, temperature: 0 });
    const before = histories.parse(request(all.slice(0, 2))) as { messages: unknown[] };
    const after = histories.parse(request(all)) as { messages: unknown[] };
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after).toEqual({ model: "x", messages: all, temperature: 0 });
  });

  it("keeps traces apart", () => {
    const list = JSON.stringify([{ content: "a".repeat(300) }, { content: "b" }]);
    const [one, other] = [new Reader().parse(list), new Reader().parse(list)] as unknown[][];
    expect(one?.[0]).not.toBe(other?.[0]);
  });

  it("is not misled by what follows the end of a list", () => {
    const list = JSON.stringify([{ content: "a".repeat(300) }, { content: "b" }]);
    const histories = new Reader();
    expect(histories.parse(`${list} `)).toHaveLength(2);
    expect(histories.parse(`${list},3]`)).toBeUndefined();
  });

  it.each(["[", "]", '[{"a":1}', '[{"a":1},]', '[{"a":1}] x', '[{"a":1} {"b":2}]'])(
    "gives nothing for what is no JSON, though its beginning is known: %s",
    (end) => {
      const known = [{ content: "a".repeat(300) }, { content: "b".repeat(300) }];
      const histories = new Reader();
      histories.parse(JSON.stringify(known));
      expect(histories.parse(JSON.stringify(known).slice(0, -1) + "," + end)).toBeUndefined();
    },
  );
});
