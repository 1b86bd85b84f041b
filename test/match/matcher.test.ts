import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher, type MatchedRun, type MatchResult } from "../../src/match/matcher.ts";
import { normaliseText } from "../../src/match/rules/normalise.ts";
import { similarity } from "../../src/match/rules/similarity.ts";
import { whereHolds } from "../../src/match/rules/where.ts";
import { compilePattern } from "../../src/model/patterns/pattern.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { specOf } from "../support/spec-of.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { sampleRun, sampleSpec, type SampleQuery } from "./sample-spec.ts";

function match(run: MatchedRun, queries: readonly SampleQuery[], agent = "*"): MatchResult {
  const spec = sampleSpec(queries, agent);
  return createMatcher([spec]).match(run, spec);
}

/** `exact q0`, `ambiguous q0 q1`, `unmatched no-query`. */
function told(result: MatchResult): string {
  if (result.kind === "matched") return `${result.match.how} ${result.query.id}`;
  if (result.kind === "ambiguous") return `ambiguous ${result.candidates.map((query) => query.id).join(" ")}`;
  return `unmatched ${result.cause}`;
}

describe("levels, the first with a hit decides", () => {
  const queries: readonly SampleQuery[] = [
    { id: "weather", text: "What's the weather in Tokyo?" },
    { id: "other", text: "*" },
    { id: "city", text: "weather somewhere", pattern: "What's the weather in {city}?" },
    { id: "order", text: "an order", pattern: String.raw`(?i)order (?P<number>\d+)` },
    { id: "install", text: "How do I install AgentCI?", similarity: 0.85 },
  ];

  test.each([
    ["What's the weather in Tokyo?", "exact weather"],
    ["  what’s the WEATHER in\nTokyo ?!", "normalised weather"],
    ["What's the weather in Oslo?", "pattern city"],
    ["Where is ORDER 4711?", "pattern order"],
    ["How can I install AgentCI", "similarity install"],
    ["Tell me a joke", "wildcard other"],
  ])("%s → %s", (text, expected) => {
    expect(told(match(sampleRun(text), queries))).toBe(expected);
  });

  test("a run without text is the wildcard's, or nobody's", () => {
    expect(told(match(sampleRun(null), queries))).toBe("wildcard other");
    expect(told(match(sampleRun(null), queries.slice(2)))).toBe("unmatched no-text");
  });

  const text = "What's the weather in Tokyo?";

  test("an id goes before everything", () => {
    expect(told(match(sampleRun(text, { "tracejury.query.id": "install" }), queries))).toBe("id install");
  });

  test.each<[string | null, readonly SampleQuery[], string]>([
    [text, queries, "exact weather"],
    ["what’s the WEATHER in Tokyo", queries, "normalised weather"],
    ["What's the weather in Oslo?", queries, "pattern city"],
    ["How can I install AgentCI", queries, "similarity install"],
    ["Tell me a joke", queries, "wildcard other"],
    [null, queries, "wildcard other"],
    ["Tell me a joke", queries.slice(2), "unmatched unknown-id"],
    [null, queries.slice(2), "unmatched unknown-id"],
    ["hello", [{ text: "hello" }, { text: "hello" }], "ambiguous q0 q1"],
  ])("an id that no query has leaves %s to the next levels, with a note", (asked, among, expected) => {
    for (const id of ["renamed", 7]) {
      const result = match(sampleRun(asked, { "tracejury.query.id": id }), among);
      expect(told(result)).toBe(expected);
      const note = {
        matched: { match: { unknownId: String(id) } },
        unmatched: { reason: expect.stringContaining(`query "${id}", which the spec does not have`) },
        ambiguous: {},
      };
      expect(result).toMatchObject(note[result.kind]);
    }
  });

  test("a run that names no id, or a known one, has no such note", () => {
    for (const attributes of [{}, { "tracejury.query.id": "" }, { "tracejury.query.id": "install" }]) {
      const result = match(sampleRun(text, attributes), queries);
      expect(result.kind === "matched" && "unknownId" in result.match).toBe(false);
    }
  });

  test("captures are what the user wrote", () => {
    const weather = match(sampleRun("what's the weather in New  York?"), queries);
    expect(weather.kind === "matched" && weather.captures).toEqual(new Map([["city", "New York"]]));
    const order = match(sampleRun("order 4711, please"), queries);
    expect(order.kind === "matched" && order.captures).toEqual(new Map([["number", "4711"]]));
  });

  test("the score is 1 but for similarity", () => {
    const similar = match(sampleRun("How can I install AgentCI"), queries);
    expect(similar.kind === "matched" && similar.match.score).toBeGreaterThan(0.85);
    expect(match(sampleRun("Tell me a joke"), queries)).toMatchObject({ match: { score: 1 } });
  });
});

describe("two hits on a level are ambiguous", () => {
  const patterns = ["order", "order {n}"].map((pattern, at) => ({ text: "ab".charAt(at), pattern }));
  const similar = ["hello there a", "hello there b"].map((text) => ({ text, similarity: 0.8 }));
  /** A quantifier applies to a whole character, also one of two UTF-16 units. */
  const optional = ["hello😀? you", "hello yo", "hello you, hello you"].map((pattern, at) => ({
    text: "abc".charAt(at),
    pattern,
  }));
  test.each<[string, SampleQuery[], string]>([
    ["hello", [{ text: "hello" }, { text: "hello" }], "ambiguous q0 q1"],
    ["hello", [{ text: "hello" }, { text: "Hello!" }], "exact q0"],
    ["HELLO", [{ text: "hello" }, { text: "Hello!" }], "ambiguous q0 q1"],
    ["order 1", patterns, "ambiguous q0 q1"],
    ["hello there", similar, "ambiguous q0 q1"],
    ["say hello you", optional, "ambiguous q0 q1"],
    ["hello", [{ text: "*", where: { env: "prod" } }, { text: "*" }], "ambiguous q0 q1"],
  ])("%s", (text, queries, expected) => {
    expect(
      told(match(sampleRun(text, { env: "prod" }), queries))
        .split(" ")
        .toSorted(),
    ).toEqual(expected.split(" ").toSorted());
  });
});

describe("where", () => {
  const attributes = { env: "prod", version: "2", tags: ["a", "b"], beta: "true" };

  test.each<[string, SampleQuery["where"], boolean]>([
    ["an attribute that is there", { env: "prod" }, true],
    ["one of several values", { env: ["dev", "prod"] }, true],
    ["a number for its text", { version: 2 }, true],
    ["a boolean for its text", { beta: true }, true],
    ["a value of an attribute that is a list", { tags: "b" }, true],
    ["another value", { env: "dev" }, false],
    ["an attribute that is absent", { region: "eu" }, false],
    ["two, of which one fails", { env: "prod", version: 3 }, false],
  ])("%s", (_, where = {}, expected) => {
    expect(told(match(sampleRun("x", attributes), [{ text: "x", where }]))).toBe(
      expected ? "exact q0" : "unmatched no-query",
    );
  });

  test.each<[string, JsonValue, boolean]>([
    ["1.10", "1.10", true],
    ["1.10", "1.1", false],
    ["1.1", "1.10", false],
    ["1.10", 1.1, true],
    ["1.0", 1, true],
    ["007", "007", true],
    ["007", "7", false],
    ["2", "2", true],
    ["2", 2, true],
    ["12345678901234567891", "12345678901234567891", true],
    ["12345678901234567891", "12345678901234567892", false],
    ["0x10", "16", true],
    ["true", "true", true],
    ["[1.10, 2.0]", "2.0", true],
    ["[1.10, 2.0]", "2", false],
  ])("the unquoted number %s and the value %j", (written, version, expected) => {
    const [query] = specOf(`agent: "*"
queries: [{ query: x, match: { where: { version: ${written} } } }]
`).queries;
    const where = query?.match.where ?? new Map<string, JsonValue>();
    expect(whereHolds(where, { attributes: new Map([["version", version]]) })).toBe(expected);
  });

  test.each<[string, SampleQuery]>([
    ["a text", { text: "x", where: { env: "dev" } }],
    ["a pattern", { text: "p", pattern: "x", where: { env: "dev" } }],
    ["a wildcard", { text: "*", where: { env: "dev" } }],
  ])("%s that only `where` excludes is in the reason", (_, query) => {
    expect(match(sampleRun("x", attributes), [query])).toMatchObject({
      reason:
        'the run\'s question matches the query "q0", but the run does not meet the `where` of this query',
    });
  });
});

test.each([
  ["rag-agent", "RagAgent", "svc", true],
  ["rag agent", "rag_agent", "svc", true],
  ["rag/agent", "rag\u2013agent", "svc", true],
  ["Straße", "STRASSE", "svc", true],
  ["rag agent", "rag\u200b agent", "svc", true],
  ["rag-agent", "LangGraph", "rag_agent", true],
  ["rag-agent", null, "rag-agent", true],
  ["*", null, null, true],
  ["rag-agent", "other", "svc", false],
  ["rag-agent", null, null, false],
])("a spec about %s and a run of %s in service %s: %s", (wanted, agent, service, expected) => {
  const result = match(sampleRun("x", {}, agent, service), [{ text: "x" }], wanted);
  expect(told(result)).toBe(expected ? "exact q0" : "unmatched other-agent");
});

test("a template takes regular-expression characters as text", () => {
  const queries = [{ text: "a", pattern: "Is 2+2 (roughly) {number}?" }];
  expect(told(match(sampleRun("is 2+2 (roughly) 4"), queries))).toBe("pattern q0");
  expect(told(match(sampleRun("is 22 roughly 4"), queries))).toBe("unmatched no-query");
});

test("a template's variables: at least a character each, and the same where the name is the same", () => {
  const queries = [{ text: "a", pattern: "from {a} to {b} and back to {a}" }];
  expect(told(match(sampleRun("from Rome to Oslo and back to rome"), queries))).toBe("pattern q0");
  expect(told(match(sampleRun("from Rome to Oslo and back to Bonn"), queries))).toBe("unmatched no-query");
  expect(told(match(sampleRun("from to Oslo and back to Bonn"), queries))).toBe("unmatched no-query");
});

/** What the rules say, query by query, without any index. */
function naive(run: MatchedRun, spec: CompiledSpec): string {
  const held = (queries: readonly CompiledQuery[]) =>
    queries.filter((query) => whereHolds(query.match.where, run));
  const named = spec.queries.filter((query) => query.text !== "*");
  const text = run.query ?? "";
  const levels: [string, readonly CompiledQuery[]][] = [
    ["exact", named.filter((query) => query.text === text)],
    ["normalised", named.filter((query) => normaliseText(query.text) === normaliseText(text))],
    ["pattern", spec.queries.filter((query) => fits(query, text))],
    [
      "similarity",
      named.filter(
        (query) =>
          similarity(normaliseText(query.text), normaliseText(text)) >= (query.match.similarity ?? 2),
      ),
    ],
    ["wildcard", spec.queries.filter((query) => query.text === "*")],
  ];
  for (const [how, queries] of levels) {
    const hits = held(queries);
    if (hits.length === 1) return `${how} ${hits[0]?.id}`;
    if (hits.length > 1)
      return `ambiguous ${hits
        .map((query) => query.id)
        .toSorted()
        .join(" ")}`;
  }
  return "unmatched no-query";
}

function fits(query: CompiledQuery, text: string): boolean {
  if (query.match.pattern === undefined) return false;
  const compiled = compilePattern(query.match.pattern);
  return compiled.ok && compiled.pattern.test(text);
}

test("the index finds what looking at every query finds", () => {
  const word = fc.constantFrom("refund", "Order", "the", "é", "ß", "login", "12", "?", "ORDER", "app");
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
  const pattern = fc.oneof(
    text.map((words) => words.replaceAll("?", "!")),
    text.map((words) => `(?i)^${words.replaceAll("?", ".")}`),
    fc.constantFrom(
      "refund|order",
      "(refund|app) login",
      String.raw`\d+`,
      "logi?n the",
      "refund.*app",
      "[lx]ogin",
      "(?i)STRASSE|ss",
    ),
  );
  const query = fc.record(
    {
      text: fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: fc.constant("*") }),
      pattern,
      similarity: fc.constantFrom(0.5, 0.8, 1),
      where: fc.constantFrom<Record<string, string>>({ env: "a" }, { env: "b" }),
    },
    { requiredKeys: ["text"] },
  );
  fc.assert(
    fc.property(
      fc.array(query, { maxLength: 12 }),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      (queries, texts) => {
        const spec = sampleSpec(queries);
        const matcher = createMatcher([spec]);
        for (const asked of texts) {
          const run = sampleRun(asked, { env: "a" });
          const [how = "", ...ids] = told(matcher.match(run, spec)).split(" ");
          expect([how, ...ids.toSorted()].join(" ")).toBe(naive(run, spec));
        }
      },
    ),
    { numRuns: 50 },
  );
});
