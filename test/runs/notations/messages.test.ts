import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import { messagesWithin, readMessages } from "../../../src/runs/notations/message.ts";

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
describe("a notation of messages", () => {
  type Row = readonly [notation: string, value: JsonValue, read: readonly string[]];
  const lines = readFileSync("test/runs/notations/messages.jsonl", "utf8").trim().split("\n");

  test.each(lines.map((line) => JSON.parse(line) as Row))("%s", (_, value, read) => {
    expect(short(value)).toEqual(read);
    expect(short(typeof value === "string" ? value : JSON.stringify(value))).toEqual(read);
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
