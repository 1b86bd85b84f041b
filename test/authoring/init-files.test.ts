import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { document } from "../support/otlp.ts";
import { chatSpan, inputMessages, outputMessages, words } from "../support/genai.ts";
import { cli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Which files `init` writes, and the workflow among them.
 */

const runs = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
let dir = "";
beforeEach(() => {
  dir = temporaryFolder();
});

const spec = "specs/rag-agent.yaml";
const config = "tracejury.yaml";
const workflow = ".github/workflows/tracejury.yml";

function write(name: string, text = ""): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

const read = (name: string): string => readFileSync(join(dir, name), "utf8");

async function init(...words: readonly string[]): Promise<string> {
  const { code, stdout } = await cli`init --from ${runs} --agent rag-agent --dir ${dir} ${words}`;
  expect(code).toBe(0);
  return stdout;
}

test.each([
  ["beside the spec", "specs/order.cassette.yaml", "specs"],
  ["in a folder beside the spec", "specs/recorded/order.cassette.yaml", "specs/recorded"],
  ["in a folder of the project", "cassettes/order.cassette.yaml", "cassettes"],
  ["nowhere", "cassettes/order.yaml", null],
])("the next command plays recorded answers back that are %s", async (_, name, folder) => {
  write(name);
  const stdout = await init();
  const option = folder === null ? null : `--spec ${join(dir, spec)} --models replay:${join(dir, folder)}\n`;
  expect(/tracejury test --exec 'COMMAND \{query\}' (.*--models.*\n)/.exec(stdout)?.[1] ?? null).toBe(option);
});

test("the next command runs the agent as the workflow does, and a second init says that it wrote nothing", async () => {
  write("package.json", '{ "main": "ask.js" }');
  const next = `\n  tracejury test --exec 'node ask.js {query}' --spec ${join(dir, spec)}   # runs the agent`;
  const first = await init();
  expect(first).toContain(`\nNext: review ${join(dir, spec)}, then\n`);
  expect(first).toContain(next);
  expect(read(workflow)).toContain("exec: node ask.js {query}\n");
  const second = await init();
  expect(second).toContain("\nNothing was written. Next:\n");
  expect(second).toContain(next);
  expect(second).not.toContain("only warn");
});

const install = "test/fixtures/runs/rag-install.langgraph.jsonl";

test.each<[string, readonly string[], string | null]>([
  [
    "one query, one run",
    [],
    "  1 good run was read: all checks only warn; only a run that ends in an error fails.",
  ],
  [
    "two queries, one run of each",
    ["--from", install],
    "  Queries with only one good run: 2 of 2. Their checks only warn; only a run that ends in an error fails.",
  ],
])("the terminal says that what was seen once only warns: %s", async (_, words, expected) => {
  const stdout = await init(...words);
  expect(stdout).toContain(`${expected} Run `);
  expect(stdout).toContain(
    `--spec ${join(dir, spec)} --runs 3 --keep good\n  tracejury init --from good --dir ${dir} --force\n`,
  );
  const copies = readFileSync(runs, "utf8").trim();
  // The same run under two other trace ids.
  const [one = "", ...others] = [...copies.matchAll(/"traceId":"([0-9a-f]{32})"/g)].map(([, id = ""]) => id);
  expect(new Set(others).size).toBeLessThanOrEqual(1);
  const again = ["1", "2"].map((digit) => copies.replaceAll(one, `${one.slice(0, 31)}${digit}`));
  write("three.jsonl", [copies, ...again].join("\n"));
  const { stdout: thrice } =
    await cli`init --from ${join(dir, "three.jsonl")} --agent rag-agent --dir ${join(dir, "thrice")}`;
  expect(thrice).not.toContain("only warn");
});

describe("what is there", () => {
  const mine = "agent: rag-agent\nqueries: [{ query: Mine }]\n";
  const files = [spec, config, workflow] as const;
  beforeEach(() => files.forEach((name) => write(name, name === config ? "specs: []\n" : mine)));

  test.each<[readonly string[], readonly string[]]>([
    [[], []],
    [["--force"], [spec]],
    [["--all"], files],
    [["--force", "--all"], files],
  ])("init %j writes %j anew, each kept as a copy", async (flags, replaced) => {
    const before = new Map<string, string>(files.map((name) => [name, read(name)]));
    const stdout = await init(...flags);
    const isReplaced = (name: string): boolean => replaced.includes(name);
    const option = (name: string): string => (name === spec ? "--force" : "--all");
    expect(files.filter((name) => read(name) !== before.get(name))).toEqual(replaced);
    for (const name of replaced) expect(read(`${name}.bak`)).toBe(before.get(name));
    for (const name of files.map((file) => join(dir, file)))
      expect(stdout).toContain(
        isReplaced(name.slice(dir.length + 1))
          ? `replaced ${name} (the old file is ${name}.bak)`
          : `kept     ${name} (${option(name.slice(dir.length + 1))} replaces it`,
      );
    expect(readdirSync(join(dir, "specs")).length).toBe(flags.length === 0 ? 1 : 2);
  });

  test("an earlier copy stays, and a file that would be the same is not written", async () => {
    await init("--force");
    expect(await init("--force")).toContain(`the same ${join(dir, spec)}`);
    write(spec, "agent: rag-agent\nqueries: [{ query: Changed }]\n");
    await init("--force");
    expect(read(`${spec}.bak`)).toBe(mine);
    expect(read(`${spec}.2.bak`)).toContain("Changed");
  });
});

describe("questions that an existing spec lacks", () => {
  const install = "test/fixtures/runs/rag-install.langgraph.jsonl";

  test("are counted, and added on request, each once", async () => {
    await init();
    const before = read(spec);
    const kept = `kept     ${join(dir, spec)} (--force replaces it; --add adds 1 query that it lacks)`;
    expect(await init("--from", install)).toContain(kept);
    expect(read(spec)).toBe(before);
    const stdout = await init("--from", install, "--add");
    expect(stdout).toContain(`added    1 query to ${join(dir, spec)}\n`);
    expect(stdout).toContain(
      "Added queries with only one good run: 1 of 1. Their checks only warn, because one run does not show what varies; a run that ends in an error fails.",
    );
    expect(read(spec).startsWith(before.trimEnd())).toBe(true);
    expect(await init("--from", install, "--add")).toContain(
      `kept     ${join(dir, spec)} (--force replaces it)\n`,
    );
    const { code, stdout: judged } = await cli`test ${runs} ${install} --spec ${join(dir, spec)} --judge off`;
    expect(judged).toContain("2 verdicts: 2 passed");
    expect(code).toBe(0);
  });

  test("the next step names a spec that was changed, not one that stayed", async () => {
    const support = "test/fixtures/runs/support-cancel.agents-sdk.jsonl";
    const both = ["--from", runs, "--from", support];
    const all = (await cli`init --dir ${dir} ${both}`).stdout;
    const [first = "", second = ""] = [...all.matchAll(/^wrote +(.*specs.*)$/gm)].map(
      ([, path]) => path ?? "",
    );
    expect(all).toContain(`Next: review ${first}`);
    writeFileSync(
      second,
      readFileSync(second, "utf8").replace(/queries:[^]*/, "queries:\n  - query: Other\n"),
    );
    const { stdout } = await cli`init --dir ${dir} ${both} --add`;
    expect(stdout).toContain(`kept     ${first}`);
    expect(stdout).toContain(`Next: review ${second}`);
  });

  test("get an id and the severities that the spec does not have", async () => {
    write(spec, "agent: rag-agent\nqueries:\n  - { id: how-do-i-install-agentci, query: Mine }\n");
    await init("--add");
    const { queries } = parse(read(spec)) as { queries: { id: string; severity?: object }[] };
    expect(queries.map(({ id }) => id)).toEqual(["how-do-i-install-agentci", "what-s-the-weather-in-tokyo"]);
    expect(queries[1]?.severity).toEqual({ path: "warn", expected_in_answer: "warn", grounded: "warn" });
  });

  test("are not added to a list in brackets", async () => {
    write(spec, "agent: rag-agent\nqueries: [{ query: Mine }]\n");
    const { code, stderr } = await cli`init --from ${runs} --agent rag-agent --dir ${dir} --add`;
    expect(code).toBe(2);
    expect(stderr).toContain("no query can be added");
  });
});

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly judge: {
      readonly steps: readonly {
        readonly uses?: string;
        readonly run?: string;
        readonly with?: Readonly<Record<string, string>>;
      }[];
    };
  };
}

describe("the workflow", () => {
  const uv = "uv.lock pyproject.toml requirements.txt app.py";
  const pnpm = "package.json pnpm-lock.yaml src/agent.ts";
  const frozen = ["npm install --global pnpm", "pnpm install --frozen-lockfile"];
  const requirements = "pip install -r requirements.txt";
  test.each<[name: string, files: string, language: string, exec: string, ...install: string[]]>([
    ["Python without a list", "", "python", "python agent.py"],
    ["requirements.txt", "requirements.txt main.py", "python", "python main.py", requirements],
    ["pyproject.toml", "pyproject.toml", "python", "python agent.py", "pip install ."],
    [
      "uv.lock, before the others",
      uv,
      "python",
      "uv run python app.py",
      "pip install uv",
      "uv sync --locked",
    ],
    ["package.json", "package.json", "node", "node agent.js", "npm install"],
    ["package-lock.json", "package.json package-lock.json index.mjs", "node", "node index.mjs", "npm ci"],
    ["pnpm-lock.yaml, TypeScript", pnpm, "node", "node src/agent.ts", ...frozen],
    [
      "package.json with a loader of TypeScript",
      "package.json src/agent.ts",
      "node",
      "npx tsx src/agent.ts",
      "npm install",
    ],
    ["an agent in JavaScript without a list", "agent.mjs", "node", "node agent.mjs"],
  ])("sets up %s", async (_, files, language, command, ...install) => {
    const exec = `${command} {query}`;
    const listed = exec.includes("tsx") ? '{ "devDependencies": { "tsx": "4.20.0" } }' : "{}";
    for (const name of files.split(" ").filter(Boolean)) write(name, name === "package.json" ? listed : "");
    await init();
    const { permissions, jobs } = parse(read(workflow)) as Workflow;
    const { steps } = jobs.judge;
    expect(permissions).toEqual({ contents: "read", "pull-requests": "write" });
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(install);
    expect(steps[1]?.uses).toMatch(new RegExp(`^actions/setup-${language}@`));
    const judging = steps.find(({ uses }) => uses?.includes("tracejury@") === true);
    expect(judging?.with).toEqual({ exec, spec: "specs/*.yaml" });
    const inputs = Object.keys(parse(readFileSync("action.yml", "utf8")).inputs);
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(judging?.with ?? {})));
    expect(read(workflow)).toContain("# args: --fail-on warn");
  });

  test("records the model calls of an agent that was recorded without instrumentation", async () => {
    const dump = (...scopes: readonly string[]) => {
      const sent = {
        ...inputMessages(words("user", "What time is it?")),
        ...outputMessages(words("assistant", "Noon.")),
      };
      const documents = scopes.map((scope) =>
        document([chatSpan(scope, undefined, 0, sent)], { scope, resource: {} }),
      );
      return documents.map((one) => `${JSON.stringify(one)}\n`).join("");
    };
    write("agent.mjs");
    const next = async (text: string): Promise<string> => {
      write("dump.jsonl", text);
      return (await cli`init --from ${join(dir, "dump.jsonl")} --agent agent --dir ${dir} --all`).stdout;
    };
    const models = " --models record:recorded.jsonl";
    const said = await next(dump("tracejury/models"));
    expect(said).toContain(`--spec ${join(dir, "specs/agent.yaml")}${models} --runs 3 --keep good\n`);
    expect(said).toContain(`--spec ${join(dir, "specs/agent.yaml")}${models}   # runs the agent`);
    expect(read(workflow)).toContain("args: --models record:tracejury-reports/recorded.jsonl\n");
    expect(await next(dump("tracejury/models", "my.instrumentation"))).not.toContain("--models");
    expect(read(workflow)).not.toContain("--models");
  });

  test("names the repository and commit of this clone, or says that they are to be filled in", async () => {
    const said = await init();
    const git = (...words: string[]): string => spawnSync("git", words, { encoding: "utf8" }).stdout.trim();
    const [, repository] = /github\.com[:/](.+?)(?:\.git)?$/.exec(git("remote", "get-url", "origin")) ?? [];
    const action = `${repository ?? "OWNER/tracejury"}@${git("rev-parse", "HEAD")}`;
    expect(read(workflow)).toContain(`uses: ${action} # tracejury\n`);
    expect(said.includes(`write its owner instead of OWNER in ${action}`)).toBe(repository === undefined);
  });
});
