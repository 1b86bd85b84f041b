import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentEnvironment, mutedBy } from "../../src/replay/agent/process/agent-environment.ts";
import type { CallPlan } from "../../src/replay/agent/call.ts";
import { commandLine, quotedForSh, requestBody } from "../../src/replay/agent/process/command-line.ts";
import { queryOf } from "../support/query-of.ts";
import { specOf } from "../support/spec-of.ts";

const spec = specOf("agent: shop\nqueries: [{ id: order, query: Where? }]\n");

function plan(text: string): CallPlan {
  return { spec, query: queryOf({ id: "order", text }), number: 2, folder: "" };
}

test("a shell gets every text as one word, whatever is in it", () => {
  const texts = ["it's", "$HOME `id` $(id)", "a\nb", "--flag", "", "\\", '"', "'\\''", "日本 *?"];
  const words = texts.map(quotedForSh).join(" ");
  const out = execFileSync("sh", [
    "-c",
    `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- ${words}`,
  ]);
  expect(JSON.parse(out.toString())).toEqual(texts);
});

test("quoted texts hold no quote that ends them", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const plain = text.replaceAll("\u0000", "");
      expect(quotedForSh(text).slice(1, -1).replaceAll("'\\''", "\u0001").replaceAll("\u0001", "'")).toBe(
        plain,
      );
      expect(quotedForSh(text).replaceAll("'\\''", "").slice(1, -1)).not.toContain("'");
    }),
  );
});

test("placeholders are filled in once, not in what was filled in", () => {
  expect(commandLine("a {query} {query_id} {run} {other}", plan("{run}"), "linux")).toBe(
    "a '{run}' 'order' '2' {other}",
  );
});

test("a body for an agent's address is JSON", () => {
  const text = 'He said "hi" \\ {run}';
  expect(
    JSON.parse(requestBody('{"q": {query}, "also": "{query}", "id": {query_id}, "n": {run}}', plan(text))),
  ).toEqual({
    q: text,
    also: text,
    id: "order",
    n: 2,
  });
});

test("the agent's telemetry goes to us alone, with the query's id beside what was there", () => {
  const env = agentEnvironment(
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://elsewhere",
      OTEL_EXPORTER_OTLP_HEADERS: "key=secret",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_RESOURCE_ATTRIBUTES: "team=a",
      PATH: "/bin",
    },
    "http://127.0.0.1:1234",
    plan("q"),
  );
  expect(env).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1234",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_RESOURCE_ATTRIBUTES: "team=a,tracejury.query.id=order",
    BAGGAGE: "tracejury.query.id=order",
    TRACEJURY_QUERY: "q",
    PATH: "/bin",
  });
  expect(env).not.toHaveProperty("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  expect(env).not.toHaveProperty("OTEL_EXPORTER_OTLP_HEADERS");
});

test.each([
  [{ OTEL_SDK_DISABLED: "True" }, /OTEL_SDK_DISABLED/],
  [{ OTEL_TRACES_EXPORTER: "console" }, /OTEL_TRACES_EXPORTER=console/],
  [{ OTEL_TRACES_SAMPLER: "always_off" }, /always_off/],
])("%o is named as what mutes an agent", (env, said) => {
  expect(mutedBy(env)).toMatch(said);
});

test("an ordinary environment mutes nothing", () => {
  expect(mutedBy({ OTEL_TRACES_EXPORTER: "otlp,console" })).toBeNull();
});

test("on Windows nothing is left that cmd would expand", () => {
  expect(commandLine("a {query}", plan('say %PATH% "now"'), "win32")).toBe(`a "say  PATH  ""now"""`);
});
