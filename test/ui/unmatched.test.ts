import { expect, test } from "vitest";
import { isWrittenNow } from "../../ui/src/views/is-written-now.ts";

test("a question that the spec has by now is not proposed as a query", () => {
  const lines = [
    { spec: "shop", text: "Where is  my order?" },
    { spec: "shop", text: null },
  ];
  expect(isWrittenNow({ spec: "shop", query: "where is my order? " }, lines)).toBe(true);
  expect(isWrittenNow({ spec: "other", query: "Where is my order?" }, lines)).toBe(false);
  expect(isWrittenNow({ spec: "shop", query: "Where is my refund?" }, lines)).toBe(false);
  expect(isWrittenNow({ spec: "shop", query: null }, lines)).toBe(false);
});
