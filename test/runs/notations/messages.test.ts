import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { Histories, messagesWithin, readMessages } from "../../../src/runs/notations/message.ts";

/** A message in short: role, text, calls as `name#id(arguments)`, results as `=id content`, with `!` for an error. */
function short(value: JsonValue, fallback: "user" | "assistant" = "user"): string[] {
  return readMessages(value, fallback).map(({ role, text, calls, results, isCut }) =>
    [
      role,
      ...(text === null ? [] : [text]),
      ...calls.map(({ name, id, arguments: given }) => `${name}#${id}(${JSON.stringify(given) ?? ""})`),
      ...results.map(
        ({ callId, content, isError }) => `${isError ? "!" : "="}${callId} ${JSON.stringify(content)}`,
      ),
      ...(isCut ? ["cut"] : []),
    ].join(" | "),
  );
}

/** Notations of producers: a line each, with the value and what is read from it. */
type Row = readonly [notation: string, value: JsonValue, read: readonly string[]];
const lines = readFileSync("test/runs/notations/messages.jsonl", "utf8").trim().split("\n");

test.each(lines.map((line) => JSON.parse(line) as Row))("a notation of messages: %s", (_, value, read) => {
  expect(short(value)).toEqual(read);
  expect(short(typeof value === "string" ? value : JSON.stringify(value))).toEqual(read);
});

describe("several contents of Gemini's API in an output", () => {
  const chunk = (...parts: JsonValue[]): JsonValue => ({ role: "model", parts });
  const thought = { text: "Hm.", thought: true };
  test("are the chunks of one answer", () => {
    const chunks = [chunk(thought), chunk({ text: "It is l" }), chunk({ text: "it." }), chunk({ text: "" })];
    expect(short(chunks, "assistant")).toEqual(["assistant | It is lit."]);
    expect(short(JSON.stringify(chunks), "assistant")).toEqual(["assistant | It is lit."]);
  });
  test("are one answer with the requests of all chunks", () => {
    const request = { functionCall: { id: "c1", name: "f", args: { a: 1 } } };
    expect(short([chunk({ text: "I look." }), chunk(request)], "assistant")).toEqual([
      'assistant | I look. | f#c1({"a":1})',
    ]);
  });
  test("are alternatives if each has a finish reason, and messages in an input", () => {
    const ended = { role: "model", parts: [{ text: "Yes." }], finish_reason: "stop" };
    expect(short([ended, ended], "assistant").length).toBe(2);
    expect(short([chunk({ text: "Yes." }), chunk({ text: "No." })]).length).toBe(2);
  });
  test("are joined, too, if an earlier output is their beginning", () => {
    const histories = new Histories();
    const begin = [
      chunk({ text: "I look at the lamp in the east of the harbour" }),
      chunk({ text: ", and " }),
    ];
    const more = [...begin, chunk({ text: "at the other lamp." })];
    expect(histories.read(JSON.stringify(begin), "assistant").length).toBe(1);
    expect(histories.read(JSON.stringify(more), "assistant").map(({ text }) => text)).toEqual([
      "I look at the lamp in the east of the harbour, and at the other lamp.",
    ]);
  });
});

test("ten thousand messages are read, and that there are more shows", () => {
  const list = Array.from({ length: 10_001 }, () => ({ role: "user", content: "hi" }));
  const read = readMessages(list, "user");
  expect(read.length).toBe(10_000);
  expect(read[9_999]?.isCut).toBe(true);
});

test("a value that is too deep has no messages", () => {
  let value: JsonValue = [{ role: "user", content: "hi" }];
  for (let depth = 0; depth < 200; depth++) value = { messages: value };
  expect(messagesWithin(value, "user")).toEqual([]);
});

test.each([
  [{ clerk: { messages: [{ role: "user", content: "How high?" }] } }, ["How high?"]],
  [{ clerk: { documents: [{ role: "user", content: "How high?" }] } }, []],
  [{ clerk: { messages: [{ role: "user", content: "How high?" }] }, builder: {} }, []],
])("messages below the name of a component: %j", (value, texts) => {
  expect(readMessages(value, "user").map(({ text }) => text)).toEqual(texts);
});

test("a history in the text of a user message is read as one only at the beginning of a list, also if the list continues an earlier one", () => {
  const history = JSON.stringify([{ role: "user", content: "Is the lamp at the end of the harbour lit?" }]);
  const begin = [{ role: "user", content: "What does this list of messages contain, and who wrote it?" }];
  const more = [...begin, { role: "assistant", content: "Which list?" }, { role: "user", content: history }];
  const histories = new Histories();
  histories.read(JSON.stringify(begin), "user");
  expect(histories.read(JSON.stringify(more), "user").map(({ text }) => text)).toEqual([
    begin[0]?.content,
    "Which list?",
    history,
  ]);
  const system = [{ role: "system", content: "You look after the lamps of the harbour, and answer." }];
  histories.read(JSON.stringify(system), "user");
  const asked = [...system, { role: "user", content: history }];
  expect(histories.read(JSON.stringify(asked), "user").at(-1)?.text).toBe(
    "Is the lamp at the end of the harbour lit?",
  );
});
