import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type VerdictJson, resultSchema } from "../../src/report/json/verdict-schema.ts";
import { agentAttributes, outputMessages, toolAttributes, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { recordedDump } from "../support/recorded-run.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* A run whose spans are in several files, as one file a service has: what a report says of it names all of them. */

const dir = temporaryFolder();
let spec = "";
beforeAll(() => {
  spec = join(dir, "spec.yaml");
  writeFileSync(
    spec,
    'agent: "*"\nqueries: [{ query: "*", path: { forbidden_tools: [t0], max_tool_calls: 0 } }]\n',
  );
});

/** One run: its root in `root.jsonl`, each tool call in a file of its own. */
function splitRun(folder: string, tools: number): readonly string[] {
  const into = join(dir, folder);
  mkdirSync(into, { recursive: true });
  const root = span("r", undefined, "invoke_agent shop", 0, 100, {
    ...agentAttributes("shop"),
    "gen_ai.input.messages": JSON.stringify([words("user", "Hello")]),
    ...outputMessages(words("assistant", "Hi.")),
  });
  const calls = Array.from({ length: tools }, (_, n) =>
    span(`c${n}`, "r", `execute_tool t${n}`, 10 + n, 11 + n, toolAttributes(`t${n}`)),
  );
  const files = [["root", root] as const, ...calls.map((call, n) => [`tool-${n}`, call] as const)];
  return files.map(([name, one]) => {
    const file = join(into, `${name}.jsonl`);
    writeFileSync(file, `${JSON.stringify(document([one]))}\n`);
    return file;
  });
}

async function verdictOf(files: readonly string[], ...words: string[]): Promise<VerdictJson> {
  const { stdout } = await cli`test ${files} --spec ${spec} --judge off --format json ${words}`;
  const [verdict] = resultSchema.parse(JSON.parse(stdout)).verdicts;
  if (verdict === undefined) throw new Error(stdout);
  return verdict;
}

describe.each([1, 6])("a run with %i tool calls in files of their own", (tools) => {
  let files: readonly string[] = [];
  beforeAll(() => {
    files = splitRun(`run-${tools}`, tools);
  });

  test.each(["files", "folder"])(
    "has all files in `sources`, that of the root first; given as %s",
    async (how) => {
      const given = how === "files" ? files : [join(dir, `run-${tools}`)];
      const verdict = await verdictOf(given);
      expect(verdict.source?.file).toBe(files[0]);
      expect(verdict.sources).toEqual(files);
      expect(await verdictOf(given, "--workers", "2")).toEqual(verdict);
    },
  );

  test.each(["console", "html", "markdown", "junit"])("%s names them", async (format) => {
    const { stdout } = await runCli("test", ...files, "--spec", spec, "--judge", "off", "--format", format);
    // The table of Markdown has the command only, which names the folder of more than four files.
    const named = format === "markdown" && files.length > 4 ? `run-${tools} --run` : "tool-0.jsonl";
    expect(stdout.replaceAll("&#45;", "-").replaceAll("&#46;", ".")).toContain(named);
  });

  test.each(["--verbose", "--quiet"])(
    "the printed command of %s shows the run with every call",
    async (detail) => {
      const { stdout } = await runCli("test", ...files, "--spec", spec, "--judge", "off", detail);
      const [, command = ""] = /→ tracejury (inspect .*)/.exec(stdout) ?? [];
      const shown = await runCli(...command.split(" "));
      expect(shown.code).toBe(0);
      for (let n = 0; n < tools; n++) expect(shown.stdout).toContain(`tool    t${n}(`);
    },
  );
});

test.each([
  ["spans", "claude-code/parallel", ["traces", "logs"]],
  ["records whose session the spans join", "claude-code-2.1.92/pair", ["logs", "traces"]],
  ["records only", "claude-code-logs-only/shell", ["logs"]],
])("the files of log records are named, too: %s", async (_, recording, names) => {
  const files = names.map((name) => join("test/fixtures/recordings", recording, `${name}.jsonl`));
  for (const workers of ["1", "2"]) {
    const verdict = await verdictOf(files, "--workers", workers);
    expect([verdict.source?.file, verdict.sources]).toEqual([
      files[0],
      files.length === 1 ? undefined : files,
    ]);
  }
});

test("a run in one file of several has no `sources`", async () => {
  const files = ["a", "b"].map((trace, n) => {
    const file = join(dir, `${trace}.jsonl`);
    writeFileSync(file, recordedDump({ trace, query: "Hello", answer: "Hi.", tools: ["t0"], at: n * 1000 }));
    return file;
  });
  const verdict = await verdictOf(files);
  expect(verdict.source?.file).toBe(files[0]);
  expect(verdict).not.toHaveProperty("sources");
});
