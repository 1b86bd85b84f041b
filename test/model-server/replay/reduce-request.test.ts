import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { oneLine } from "../../../src/model-server/replay/one-line.ts";
import { requestReducer } from "../../../src/model-server/replay/reduce-request.ts";

const base = { model: "m", system: null, tools: null, parameters: {} };

test("each text is masked once, however many messages follow each other and however often it is compared", () => {
  let maskedCharacters = 0;
  const reduce = requestReducer((text) => {
    maskedCharacters += text.length;
    return text;
  });
  const messages = Array.from({ length: 1_000 }, () => messageOf("user", { text: "0123456789" }));
  const request = { ...base, messages };
  const first = reduce(request);

  expect(reduce(request)).toBe(first);
  expect(first.parts).toHaveLength(1);
  expect(maskedCharacters).toBeLessThan(2 * 10_000);
});

test("words of one speaker are one part, up to a call, a result or the other speaker", () => {
  const reduce = requestReducer((text) => text);
  const call = { id: "a", name: "find", arguments: {} };
  const result = { callId: "a", name: null, content: "found", isError: false };
  const { parts } = reduce({
    ...base,
    messages: [
      messageOf("user", { text: "one" }),
      messageOf("user", { text: " " }),
      messageOf("user", { text: "two" }),
      messageOf("assistant", { text: "three", calls: [call] }),
      messageOf("tool", { results: [result] }),
      messageOf("user", { text: "four" }),
      messageOf("user", { text: "five" }),
      messageOf("assistant", {}),
      messageOf("user", { text: "six" }),
    ],
  });

  expect(parts?.map(({ kind, text }) => [kind, text])).toEqual([
    ["user", "one\ntwo"],
    ["assistant", "three"],
    ["tool call", "{}"],
    ["result", "found"],
    ["user", "four\nfive\nsix"],
  ]);
});

test.each<JsonValue>([
  "found",
  [{ type: "text", text: "found" }],
  [{ type: "text", content: "found" }],
  { type: "text", content: "found" },
  '[{"type":"text","content":"found"}]',
])("a result is its text, in any notation of parts: %j", (content) => {
  const reduce = requestReducer((text) => text);
  const result = { callId: "a", name: "find", content, isError: false };
  const { parts } = reduce({ ...base, messages: [messageOf("tool", { results: [result] })] });

  expect(parts?.map(({ text }) => text)).toEqual(["found"]);
});

test.each(["", " ", "a", " a ", "a b", "a  b", "a\n", "\n\na \t b\u00a0c", "a\u2003 b\r\n\r\nc d"])(
  "each stretch of white space in %j becomes one blank",
  (text) => {
    expect(oneLine(text)).toBe(text.split(/\s+/).filter(Boolean).join(" "));
  },
);
