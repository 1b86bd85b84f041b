import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import type { RunText, ToolText } from "../support/run-of.ts";
import { outcomeOf } from "../support/block-outcome.ts";

/*
 * How many documents a tool's result holds is told by its structure; only a text that has none is read for words.
 */

const json = (value: JsonValue): readonly [JsonValue, string] => [value, JSON.stringify(value)];
const documents: Readonly<
  Record<string, { readonly count: number; readonly results: readonly JsonValue[] }>
> = {
  none: {
    count: 0,
    results: [
      ...json([]),
      ...json({ results: [] }),
      ...json({ query: "x", documents: [] }),
      ...json({ data: { documents: [] } }),
      ...json({ hits: { total: { value: 0 }, hits: [] } }),
      ...json({ response: { numFound: 0, docs: [] } }),
      ...json({ query: "x", chunks: [] }),
      ...json({ "@odata.context": "x", value: [] }),
      ...json({ retrievalResults: [], nextToken: null }),
      ...json({ ids: [[]], documents: [[]], distances: [[]] }),
      ...json({ results: null }),
      ...json({ total: 0 }),
      ...json({}),
      ...json(null),
      ...json([null]),
      ...json([""]),
      ...json([{ content: " " }]),
      ...json({ documents: [{ page_content: "", metadata: {} }] }),
      // As MCP servers answer.
      ...json([{ type: "text", text: "[]" }]),
      ...json({ content: [], isError: false }),
      ...json({ content: [{ type: "text", text: "No results found." }], isError: false }),
      ...json({ content: [{ type: "text", text: '{"results":[]}' }], structuredContent: { results: [] } }),
      "",
      " \n",
      "No results found.",
      "no documents",
      "Nothing found",
      "No documents matched your query.",
      'No results found for "x".',
      "Order 7 not found.",
    ],
  },
  one: {
    count: 1,
    results: [
      ...json([{ content: "No results found." }]),
      ...json({ documents: [{ id: "a", content: "Nothing found here is lost." }] }),
      ...json({ data: { documents: [{ id: "a", content: "x" }] } }),
      ...json({ hits: { hits: [{ _id: "1", _source: { text: "x" } }] } }),
      ...json({ id: "a", content: "x", tags: [] }),
      ...json({ title: "x", url: "y", links: [] }),
      ...json({ answer: "x" }),
      ...json([{ id: "a", content: "" }]),
      ...json({ content: [{ type: "text", text: "The policy." }] }),
      "404 Not Found means that the page is missing. Check the address.",
      "Returns: no results of a sale are refunded after\n14 days.",
      "The policy says that items which are not found in the list cost more.",
    ],
  },
  two: {
    count: 2,
    results: [
      ...json(["x", "y"]),
      ...json({ query: "q", chunks: [{ text: "x" }, { text: "y" }] }),
      ...json({ ids: [["a", "b"]], documents: [["x", "y"]] }),
      ...json({ data: { items: [{ id: 1 }, { id: 2 }] } }),
      ...json({ content: [{ type: "text", text: '[{"id":"a"},{"id":"b"}]' }] }),
      ...json([
        { type: "text", text: "The policy." },
        { type: "text", text: "The terms." },
      ]),
    ],
  },
};

const cases = Object.values(documents).flatMap(({ count, results }) =>
  results.map((result) => ({ count, shown: JSON.stringify(result), result })),
);

test.each(cases)("$count documents in $shown", ({ count, result }) => {
  const tools: ToolText[] = [{ name: "search", result }];
  const limits = `{ tool: search, min_results: ${count}, max_results: ${count} }`;
  expect(outcomeOf(`retrieval: ${limits}`, { tools, answer: "Yes." })).toEqual(["pass", "pass"]);
  const outcome = count === 0 ? "warn" : "pass";
  expect(outcomeOf("retrieval: { tool: search, forbid_empty: true }", { tools, answer: "Yes." })).toEqual([
    outcome,
  ]);
});

describe("a retrieval", () => {
  const refused: ToolText = { name: "search", error: "refused" };
  test.each<[string, string, ToolText, string]>([
    ["a failed call found nothing", "forbid_empty: true", refused, "warn"],
    [
      "a failed call, whose error was recorded as its result",
      "min_results: 1",
      { ...refused, result: "connection refused" },
      "warn",
    ],
    [
      "invisible characters in the tool's name",
      "min_results: 1",
      { name: "se\u00adarch", result: [] },
      "warn",
    ],
    ["a source that is another's begin", "expected_sources: [doc-1]", search([{ id: "doc-12" }]), "warn"],
    ["a source within its path", "expected_sources: [doc-1]", search([{ id: "s3://all/doc-1.md" }]), "pass"],
  ])("%s", (_, block, tool, outcome) => {
    const run = { tools: [tool], answer: "Yes." };
    expect(outcomeOf(`retrieval: { tool: search, ${block} }`, run)).toEqual([outcome]);
  });

  test.each([
    ["I couldn’t find anything.", "pass"],
    ["I couldn't find anything.", "pass"],
    ["I don’t know.", "pass"],
    ["It is on its way.", "warn"],
  ])("that was empty, with the answer %j", (answer, outcome) => {
    const tools: ToolText[] = [{ name: "search", result: [] }];
    expect(outcomeOf("retrieval: { tool: search, forbid_empty: true }", { tools, answer })).toEqual([
      outcome,
    ]);
  });

  const refusal = "I could not find that.";
  test.each<[string, RunText, string]>([
    ["an answer that was not captured", { answer: null }, "incomplete"],
    ["the beginning of an answer", { answer: null, answerBegin: "It is" }, "incomplete"],
    ["the beginning of a refusal", { answer: null, answerBegin: refusal }, "pass"],
    ["an answer that can still change", { answer: "I look again.", complete: false }, "incomplete"],
    ["a run that failed before its answer", { answer: null, status: "error" }, "skip"],
  ])("that was empty, with %s", (_, run, outcome) => {
    const tools: ToolText[] = [{ name: "search", result: [] }];
    expect(outcomeOf("retrieval: { tool: search, forbid_empty: true }", { ...run, tools })).toEqual([
      outcome,
    ]);
  });

  test("markers of a spec may be written with either apostrophe", () => {
    const tools: ToolText[] = [{ name: "search", result: [] }];
    const block = "retrieval: { tool: search, forbid_empty: true, refusal_markers: [isn’t in my notes] }";
    expect(outcomeOf(block, { tools, answer: "That isn't in my notes." })).toEqual(["pass"]);
  });
});

function search(result: JsonValue): ToolText {
  return { name: "search", result };
}

describe("steps that may be missing", () => {
  const hidden = { missing: [{ what: "tools", why: "not recorded" }] };
  const found = { ...hidden, tools: [{ name: "find", result: "y" }] };
  const drops = "{ kind: tool, name: drop, max_count: 0 }";
  const noHandoff = { missing: [{ what: "handoffs", why: "" }] };
  const some = "{ kind: tool, name: find, field: result, contains: y, some: true }";
  test.each<[string, string, object, string]>([
    ["no call at most", drops, hidden, "incomplete"],
    ["a call too many", drops, { ...hidden, tools: ["drop"] }, "warn"],
    ["every call holds", "{ kind: tool, name: find, field: result, not_contains: x }", found, "incomplete"],
    ["one call holds, which is enough", some, found, "pass"],
    ["a call without a name", drops, { tools: [{ name: null }] }, "incomplete"],
    [
      "as many as asked for",
      "{ kind: tool, name: find, min_count: 1 }",
      { ...hidden, tools: ["find"] },
      "pass",
    ],
    ["no hand-off at most", "{ kind: handoff, max_count: 0 }", noHandoff, "incomplete"],
  ])("%s", (_, assertion, run, outcome) => {
    expect(outcomeOf(`spans: [${assertion}]`, run)).toEqual([outcome]);
  });

  test.each<[string, string]>([
    ["max_results: 5", "incomplete"],
    ["expected_sources: [b]", "incomplete"],
    ["expected_sources: [a]", "pass"],
    ["min_results: 2", "warn"],
  ])("retrieval: %s", (block, outcome) => {
    const tools: ToolText[] = [search([{ id: "a", content: "x" }])];
    expect(outcomeOf(`retrieval: { tool: search, ${block} }`, { ...hidden, tools })).toEqual([outcome]);
  });
});
