import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentEnvironment, mutedBy } from "../../src/replay/agent/process/agent-environment.ts";
import type { CallPlan } from "../../src/replay/agent/call.ts";
import { commandLine, quotedForSh, requestBody } from "../../src/replay/agent/process/command-line.ts";
import { otherQuestion } from "../../src/replay/agent/known-query.ts";
import { templateProblem } from "../../src/replay/agent/process/placeholders.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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

test.each([
  "PRINT {query}",
  'PRINT "{query}"',
  "PRINT '{query}'",
  'PRINT a\\ "b" \'c\\\' "{query}"',
  'sh -c "PRINT {query}"',
  "sh -c 'PRINT {query}'",
  `sh -c "PRINT '{query}'"`,
  `sh -c 'PRINT "{query}"'`,
  'sh -c "PRINT \\"{query}\\""',
  `echo "it's" > /dev/null; PRINT "{query}"`,
])("the agent gets the query as its last argument from %s", (command) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "print.sh"), 'for last; do :; done; printf %s "$last"');
  for (const text of [
    "it's",
    '$(touch evil) `touch evil` $HOME "',
    "a\nb; touch evil",
    "\\",
    "'; touch evil; '",
  ]) {
    const line = commandLine(command.replace("PRINT", "sh print.sh"), plan(text), "linux");
    expect(execFileSync("sh", ["-c", line], { cwd: folder }).toString()).toBe(text);
  }
  expect(readdirSync(folder)).toEqual(["print.sh"]);
});

test.each([
  ['--question="{query}"', `--question=""'it'\\''s'""`],
  ['"--question={query}"', `"--question="'it'\\''s'""`],
  [`python -c "ask({query})"`, `python -c "ask('it'\\\\''s')"`],
  [`node -e "await ask({query})"`, `node -e "await ask('it'\\\\''s')"`],
])("%s becomes %s", (command, expected) => {
  expect(commandLine(command, plan("it's"), "linux")).toBe(expected);
});

test("cmd.exe gets a placeholder in quotation marks as one word", () => {
  expect(commandLine('a "{query}" {query}', plan('x "y" & z'), "win32")).toBe(
    'a "x ""y"" & z" "x ""y"" & z"',
  );
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

test.each<[string, "--exec" | "--body", RegExp | null]>([
  ["node agent.js {query}", "--exec", null],
  ["node agent.js {qery}", "--exec", /^error .*\{qery\}; did you mean \{query\}/],
  ["node agent.js {query} {sesion}", "--exec", /^error .*\{sesion\}; did you mean \{session\}/],
  ["node agent.js {prompt}", "--exec", /^error .*\{prompt\}; write \{query\}/],
  ["node agent.js {query} | awk '{print}'", "--exec", null],
  ["node agent.js --to ${HOME} {messages}", "--exec", null],
  ["node agent.js", "--exec", /^warning --exec has no \{query\}.*TRACEJURY_QUERY/],
  ['node agent.js "$TRACEJURY_QUERY"', "--exec", null],
  ['{"query": {query}}', "--body", null],
  ['{"query": {Query}}', "--body", /^error .*did you mean \{query\}/],
  ['{"query": "Hello?"}', "--body", /^warning --body has no \{query\}/],
  ["", "--exec", /^error --exec is empty/],
  [" ", "--exec", /^error --exec is empty/],
])("the placeholders of %s", (template, option, expected) => {
  const problem = templateProblem(template, option);
  const text = problem === null ? "" : `${problem.severity} ${problem.message}; ${problem.fix}`;
  expect(text).toMatch(expected ?? /^$/);
});

test.each([
  ["When do I check in?", null],
  ["  when do I check in", null],
  ["Answer briefly: When do I check in? Today is Monday.", null],
  [null, null],
  ["{qery}", "{qery}"],
  ["Tell me a joke.", "Tell me a joke."],
])("a run that recorded %j answered another question: %j", (query, other) => {
  expect(otherQuestion({ plan: plan("When do I check in?"), runs: [runOf({ query })] })).toBe(other);
});
