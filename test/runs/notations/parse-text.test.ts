import { expect, test } from "vitest";
import { isCutText, parseText } from "../../../src/runs/notations/parse-text.ts";

const whole: readonly (readonly [text: string, value: unknown])[] = [
  ['{"a": [1, "x", null]}', { a: [1, "x", null] }],
  ['  [{"a": 1}]', [{ a: 1 }]],
  ['"{}"', "{}"],
  ["{'a': (1, 2.5, None), 'b': True}", { a: [1, 2.5, null], b: true }],
  ["{'it''s': 'a' 'b'}", { its: "ab" }],
  [String.raw`{'a': 'line\nü\'\x41'}`, { a: "line\nü'A" }],
  ["Choice(index=0, role=<Role.USER: 'user'>)", { $class: "Choice", index: 0, role: "user" }],
  ["pkg.Id('7')", { $class: "Id", $arguments: ["7"] }],
  ["content='4 °C' name=None", { content: "4 °C", name: null }],
  ["[MessageRole.USER, <object at 0x1>]", ["user", "<object at 0x1>"]],
  ["{'a', 'b'}", ["a", "b"]],
];

test.each(whole)("%s holds a value", (text, value) => {
  expect(parseText(text)).toEqual({ value, isCut: false, cutKey: null });
});

const cut: readonly (readonly [text: string, value: unknown])[] = [
  ['{"a": 1, "b": "lon', { a: 1 }],
  ['{"a": 1, "b": 12', { a: 1 }],
  ['{"a": 1, "b', { a: 1 }],
  ['[{"a": 1}, {"b": tr', [{ a: 1 }, {}]],
  ['{"a": 1, "b": "lon... [truncated]', { a: 1 }],
  ['{"a": "x"}, "b": "lon(truncated)', undefined],
  ["{'a': 'x', 'b': No", { a: "x" }],
  ["Message(role='user', content='lon...", { $class: "Message", role: "user" }],
  ["Message(role='user', cont", { $class: "Message", role: "user" }],
];

test.each(cut)("what the end of %s cuts is left out", (text, value) => {
  const parsed = parseText(text);
  expect(parsed?.value).toEqual(value);
  expect(parsed?.isCut).toBe(value === undefined ? undefined : true);
});

/** Whether all that `part` has is in `whole`, texts and numbers as they are there. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([key, value]) =>
    isWithin(value, (whole as Record<string, unknown>)[key]),
  );
}

test.each([
  '[{"role":"user","content":"a \\"b\\" \\u00e9","n":[1,20,true,null]},{"x":{"y":-1.5e3}}]',
  "[Message(role=<Role.USER: 'user'>, n=[10, None, (1, 2)], d={'k': 'v', 3: False}), A(b=c.D(e='f'))]",
])("wherever %s is cut, what is left is part of the whole", (text) => {
  const whole = parseText(text);
  expect(whole?.isCut).toBe(false);
  for (let length = 2; length < text.length; length++) {
    const parsed = parseText(text.slice(0, length));
    expect(parsed === undefined || (parsed.isCut && isWithin(parsed.value, whole?.value))).toBe(true);
  }
});

test.each([
  [`${"x".repeat(128)}...`, true],
  [`${"x".repeat(125)}...`, true],
  [`${"x".repeat(999)}…`, true],
  ["short… [truncated]", true],
  ["short (truncated)", true],
  ["one of a printed list... (truncated); ", true],
  ["a line\n[... preview truncated ...]", true],
  ["the log [it was truncated]", false],
  ["a clause; ", false],
  ["Let me think...", false],
  [`${"x".repeat(128)}.`, false],
])("%s was shortened: %s", (text, isCut) => {
  expect(isCutText(text)).toBe(isCut);
});
