#!/usr/bin/env node
// `node bin/check-nodes.js [--node 22]… [-- ARGUMENTS OF VITEST]` checks each version of Node with `npm start`, `test`, `serve` and the
// tests of `npm test`. It prints one line for each check. Needs the npm registry.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NODE_MAJORS, otherNode } from "./other-node.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { node: { type: "string", multiple: true, default: NODE_MAJORS } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "tracejury-nodes-"));
const freePorts = ["receive.http", "receive.grpc", "admin"].flatMap((port) => [
  "--set",
  `${port}=127.0.0.1:0`,
]);
const data = ["--set", `data_dir=${join(folder, "data")}`];
const judged = ["test/fixtures/runs", "--spec", "specs/rag-agent.yaml", "--judge", "off"];
let failures = 0;

try {
  for (const major of values.node) await tryOn(otherNode(major, folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function tryOn(node) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const run = (...words) => spawnSync(node, words, { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  const on = `Node ${run("--version").stdout?.trim()}`;
  say(`${on}: npm start`, await listens(node, env, ["bin/start.js", ...freePorts, ...data]));
  const { status, stdout } = run("bin/tracejury.js", "test", ...judged);
  say(`${on}: test`, status === 1 && stdout.includes("tavily_search was called and is forbidden"), stdout);
  const serve = ["bin/tracejury.js", "serve", "--spec", "specs/rag-agent.yaml", ...freePorts, ...data];
  say(`${on}: serve`, await listens(node, env, serve));
  const tests = run("node_modules/vitest/vitest.mjs", "run", ...positionals);
  say(`${on}: npm test`, tests.status === 0, tests.stdout);
}

/** Whether the collector prints its listening addresses, and exits with code 0 after SIGTERM. */
async function listens(node, env, words) {
  const child = spawn(node, words, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const line = once(createInterface({ input: child.stdout }), "line");
  const [first] = await Promise.race([line, ended.then(() => [""])]);
  child.kill("SIGTERM");
  const [code] = await ended;
  return String(first).startsWith('{"listening":') && code === 0;
}

function say(what, holds, output = "") {
  console.log(`${holds ? "✓" : "✗"} ${what}`);
  if (holds) return;
  failures++;
  console.log(output.trimEnd().split("\n").slice(-40).join("\n"));
}
