#!/usr/bin/env node
// `node bin/check-package.js [--node 22 --node 24]` packs dist/, lints the package, installs it into an empty folder and uses it: help,
// test, serve, a typed import. Needs the npm registry.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { otherNode } from "./other-node.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const recording = join(root, "test/fixtures/runs/rag-weather-broken.langgraph.jsonl");
const spec = join(root, "specs/rag-agent.yaml");
const { values } = parseArgs({ options: { node: { type: "string", multiple: true, default: [] } } });
const folder = mkdtempSync(join(tmpdir(), "tracejury-package-"));
let failures = 0;

try {
  const tarball = pack();
  await lint(tarball);
  const project = install(tarball);
  typed(project);
  await use(project, process.execPath);
  for (const major of values.node) await use(project, otherNode(major, folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "all checks passed" : `${failures} checks failed`);
process.exitCode = failures === 0 ? 0 : 1;

function pack() {
  const { stdout } = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
  const [{ unpackedSize, entryCount }] = [JSON.parse(stdout)].flatMap((found) => Object.values(found));
  console.log(
    `unpacked ${unpackedSize} bytes in ${entryCount} files; the limit is in test/package/package.test.ts`,
  );
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".tgz")),
  );
}

async function lint(tarball) {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true });
  for (const message of messages) console.log(`  ${formatMessage(message, pkg)}`);
  check("publint reports nothing", messages.length === 0);
  const attw = run(process.execPath, [bin("attw"), tarball, "--profile", "esm-only"], root);
  if (attw.status !== 0) console.log(attw.stdout);
  check("arethetypeswrong reports nothing", attw.status === 0);
}

function bin(name) {
  const home = join(root, "node_modules/@arethetypeswrong/cli");
  return join(home, JSON.parse(readFileSync(join(home, "package.json"), "utf8")).bin[name]);
}

function install(tarball) {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const { status } = run("npm", ["install", "--no-audit", "--no-fund", tarball], project);
  check("installs into an empty folder", status === 0);
  cpSync(recording, join(project, "traces.jsonl"));
  cpSync(spec, join(project, "spec.yaml"));
  return project;
}

/** A project with strict types that also checks our declarations. */
function typed(project) {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: "nodenext",
    target: "es2023",
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  writeFileSync(
    join(project, "consumer.ts"),
    `import { readRuns, startCollector, testDumps, type AgentRun, type VerdictJson } from "tracejury";
const { summary, verdicts } = await testDumps(["traces.jsonl"], { specs: ["spec.yaml"], judge: "off" });
const first: VerdictJson | undefined = verdicts[0];
const { runs } = await readRuns(["traces.jsonl"]);
const run: AgentRun | undefined = runs[0];
const code: 0 | 1 | 2 = summary.exit_code;
// @ts-expect-error: the specs are needed
void (() => testDumps(["traces.jsonl"], {}));
void startCollector;
console.log(JSON.stringify([code, first?.outcome, run?.query]));
`,
  );
  const tsc = run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], project);
  if (tsc.status !== 0) console.log(tsc.stdout);
  check("its types are valid in a strict project", tsc.status === 0);
  const source = readFileSync(join(project, "consumer.ts"), "utf8");
  writeFileSync(
    join(project, "consumer.js"),
    source.replace(/, type \w+/g, "").replace(/const (\w+): [^=]+=/g, "const $1 ="),
  );
}

async function use(project, node) {
  const { stdout: name } = run(node, ["--version"], project);
  const on = `Node ${name.trim()}`;
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const npx = (...words) => run("npx", ["--no-install", "tracejury", ...words], project, env);
  check(`${on}: the matchers work with vitest`, vitest(project, node).status === 0);
  check(`${on}: --help`, npx("--help").stdout.includes("judges AI agents"));
  const tested = npx("test", "traces.jsonl", "--spec", "spec.yaml", "--judge", "off", "--query", "weather");
  check(
    `${on}: test exits with 1 and prints the reason`,
    tested.status === 1 && /FORBIDDEN TOOL/.test(tested.stdout),
  );
  const imported = run(node, ["consumer.js"], project, env).stdout.trim();
  check(
    `${on}: the imported library gives the same result`,
    imported === `[1,"fail","What's the weather in Tokyo?"]`,
  );
  check(`${on}: serve receives, evaluates, answers the API and stops`, await serves(project, node, env));
}

/** Links the repository's vitest into the project, instead of installing one. */
function vitest(project, node) {
  const link = join(project, "node_modules/vitest");
  rmSync(link, { force: true });
  symlinkSync(join(root, "node_modules/vitest"), link);
  writeFileSync(
    join(project, "agent.test.ts"),
    `import { readRuns } from "tracejury";
import "tracejury/vitest";
import { expect, test } from "vitest";
test("the agent", async () => {
  const { runs } = await readRuns(["traces.jsonl"]);
  expect(runs[0]).toUseTools(["tavily_search"]);
  expect(runs[0]).not.toMatchSpec("weather", "spec.yaml");
});
`,
  );
  return run(node, [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", "."], project);
}

async function serves(project, node, env) {
  const free = ["receive.http", "receive.grpc", "admin"].flatMap((port) => ["--set", `${port}=127.0.0.1:0`]);
  const waits = ["assemble.root_quiet=200ms", "assemble.root_open=300ms", "data_dir=data"];
  const child = spawn(
    node,
    [
      "node_modules/tracejury/bin/tracejury.js",
      "serve",
      "--spec",
      "spec.yaml",
      ...free,
      ...waits.flatMap((set) => ["--set", set]),
    ],
    { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const lines = createInterface({ input: child.stdout });
    const first = new Promise((resolve) => lines.once("line", resolve));
    const line = await Promise.race([first, ended.then(() => undefined)]);
    if (line === undefined) return false;
    const { listening } = JSON.parse(line);
    for (const body of readFileSync(recording, "utf8").split("\n").filter(Boolean)) {
      const headers = { "content-type": "application/json" };
      await fetch(`http://${listening.http}/v1/traces`, { method: "POST", headers, body });
    }
    const judged = await verdicts(listening.admin);
    child.kill("SIGTERM");
    return judged === "fail" && (await ended) === 0;
  } finally {
    child.kill("SIGKILL");
  }
}

async function verdicts(admin) {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await (await fetch(`http://${admin}/api/v1/verdicts`)).json();
    if (answer.verdicts.length > 0) return answer.verdicts[0].outcome;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return undefined;
}

function run(command, words, cwd, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

function check(what, holds) {
  console.log(`${holds ? "✓" : "✗"} ${what}`);
  if (!holds) failures++;
}
