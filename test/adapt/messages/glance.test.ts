import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goesOnAt, requestsIn, wordsIn } from "../../../src/adapt/messages/glance.ts";
import { readMessages } from "../../../src/adapt/messages/read-messages.ts";

const message = (role: string, ...parts: object[]): object => ({ role, parts });
const words = { type: "text", content: 'He said: {"type":"tool_call","id":"no"}' };
const request = { type: "tool_call", id: "call_1", name: "search", arguments: { query: "green tea" } };
const answer = { type: "tool_call_response", id: "call_1", result: { status: "ok", items: [1] } };

const says = (content: string): object => message("user", { type: "text", content });

describe("wordsIn", () => {
  it.each(['So be it.\nAnd "so" \\ on', "1 😀", "a list: [{}]", 'x"}]}] y'])("sees %j", (text) => {
    expect(wordsIn(JSON.stringify([says(text)]), "user")).toBe(text);
  });

  it.each([
    ["somebody else's", [message("assistant", { type: "text", content: "so" })]],
    ["what may be a printed list", [says('[{"type":"text","text":"so"}]')]],
    ["what may be a printed call", [says("ChatToolCall(name='a')")]],
    ["a second message", [says("so"), says("and so")]],
    ["a second part", [message("user", { type: "text", content: "so" }, { type: "text", content: "on" })]],
    ["a call", [message("user", request)]],
    ["nothing", [says("")]],
  ])("leaves %s to be read", (_, messages) => {
    expect(wordsIn(JSON.stringify(messages), "user")).toBeUndefined();
  });

  it("sees what reading gives, or nothing", () => {
    const content = fc.string({
      unit: fc.constantFrom("a", '"', "\\", "]", "}", "{", ":", ",", "\n", " ", "é"),
    });
    const read = fc.property(content, content, (before, after) => {
      const text = JSON.stringify([says(before)]).replace('"}', `${after}"}`);
      const seen = wordsIn(text, "user");
      return seen === undefined || readMessages(text, "user").every((one) => one.text === seen);
    });
    expect(fc.check(read).failed).toBe(false);
  });
});

describe("requestsIn", () => {
  it.each([
    ["words alone", [message("user", words)], []],
    ["a request", [message("assistant", words, request)], [{ id: "call_1", name: "search" }]],
    ["no message", [], []],
  ])("sees %s without parsing", (_, messages, expected) => {
    expect(requestsIn(JSON.stringify(messages), 0, false)).toEqual(expected);
  });

  it("sees past results only where they are asked for", () => {
    const text = JSON.stringify([message("assistant", request), message("tool", answer)]);
    expect(requestsIn(text, 0, true)).toEqual([{ id: "call_1", name: "search" }]);
    expect(requestsIn(text, 0, false)).toBeUndefined();
  });

  it.each([
    ["a request without an id", { type: "tool_call", name: "search", arguments: {} }],
    ["a request without arguments", { type: "tool_call", id: "call_1", name: "search" }],
    ["arguments that are null", { ...request, arguments: null }],
    ["another order", { name: "search", id: "call_1", type: "tool_call", arguments: {} }],
    ["another vendor's call", { type: "tool_use", id: "call_1", name: "search", input: {} }],
    ["a call without a type", { name: "search", arguments: {} }],
    ["a part of an unknown type", { type: "hologram" }],
    ["a failure", { ...answer, is_error: true }],
    ["a failed status", { ...answer, status: "failed" }],
    ["an error's word at the end of a name", { ...answer, last_error: null }],
    ["a failure told in capitals", { ...answer, outcome: "FAILED" }],
    ["a second id", { ...request, call_id: "call_2" }],
  ])("leaves %s to be read", (_, part) => {
    expect(requestsIn(JSON.stringify([message("assistant", part)]), 0, true)).toBeUndefined();
  });

  it("leaves calls beside the content to be read", () => {
    const text = JSON.stringify([
      { role: "assistant", content: "", tool_calls: [{ id: "1", function: {} }] },
    ]);
    expect(requestsIn(text, 0, true)).toBeUndefined();
  });
});

describe("goesOnAt", () => {
  const items = Array.from({ length: 6 }, (_, at) =>
    message("user", { type: "text", content: `${at} `.repeat(60) }),
  );
  const list = (from: number, to: number): string => JSON.stringify(items.slice(from, to));

  it("finds where a longer history goes on", () => {
    const before = list(0, 3);
    expect(goesOnAt(list(0, 5), before, "")).toBe(before.length - 1);
  });

  it("finds it though the beginning was left out", () => {
    const after = list(2, 5);
    expect(after.slice(goesOnAt(after, list(0, 4), ""))).toBe(`,${JSON.stringify(items[4])}]`);
  });

  it("goes on behind the answer that is repeated in it", () => {
    const after = list(1, 6);
    expect(after.slice(goesOnAt(after, list(0, 4), list(4, 5)))).toBe(`,${JSON.stringify(items[5])}]`);
    const other = list(4, 5).replace("4 4", "4 5");
    expect(after.slice(goesOnAt(after, list(0, 4), other))).toBe(`,${list(4, 6).slice(1)}`);
  });

  it("is 0 where the two differ", () => {
    expect(goesOnAt(list(3, 6), list(0, 3), list(3, 4))).toBe(0);
    expect(goesOnAt(list(0, 2).replace("0 0", "0 1"), list(0, 2), "")).toBe(0);
  });
});
