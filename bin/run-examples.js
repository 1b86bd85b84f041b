#!/usr/bin/env node
// `node bin/run-examples.js [NAME…]` tests each folder of examples/ as a user would: in a copy, with its dependencies and the package or
// wheel installed. The example's tests must pass; if SCRIPTED_MODEL is "careless", they must fail, and the output must contain the reason.
// The example's conversation (specs/chat.yaml) must pass; if SCRIPTED_MODEL is "forgetful", it must fail, but only at the third turn. With
// recorded model answers, the conversation must pass again. Needs the registries. PYTHON names the Python (default: `python3`); `--built`
// uses the wheel in python/dist/.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = join(root, "examples");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { built: { type: "boolean", default: false } },
});
const all = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const names = positionals.length > 0 ? positionals : all.map(({ name }) => name).sort();
const scratch = mkdtempSync(join(tmpdir(), "tracejury-examples-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Matches the reason that the output must contain if the model is careless. */
const REASON = /refund_order/;

let failures = 0;
let builtWheel;
let packed;
for (const name of names) {
  if (!existsSync(join(examples, name))) stop(`there is no example ${name}`);
  const folder = join(scratch, name);
  cpSync(join(examples, name), folder, { recursive: true });
  const test = name.endsWith("-python") ? installPython(folder) : installNode(folder);
  const good = test({});
  report(name, "passes", good.status === 0, good);
  const careless = test({ SCRIPTED_MODEL: "careless" });
  const isRed = careless.status === 1 && REASON.test(careless.said);
  report(name, "fails with the reason when the model is careless", isRed, careless);
  const spoken = converse(folder, {}, "--keep", "recordings");
  report(name, "passes a conversation of three turns", spoken.status === 0, spoken);
  // With REAL_MODEL, the example starts no scripted model, but calls the address in OPENAI_BASE_URL, where the recorded answers are.
  const played = converse(folder, { REAL_MODEL: "gpt-4o-mini" }, "--models", "replay:recordings");
  report(name, "passes it again with recorded answers, without a model", played.status === 0, played);
  const forgetful = converse(folder, { SCRIPTED_MODEL: "forgetful" });
  const failed = [...forgetful.said.matchAll(/✗ .*turn (\d)/g)].map(([, turn]) => turn);
  const isThird = forgetful.status === 1 && failed.join() === "3";
  report(name, "fails only at the third turn when the model is forgetful", isThird, forgetful);
}
process.exitCode = failures === 0 ? 0 : 1;

/** Installs an example into a virtual environment. Returns a function that runs its tests without Node on the path. */
function installPython(folder) {
  const environment = join(folder, ".venv");
  const bin = join(environment, process.platform === "win32" ? "Scripts" : "bin");
  must(process.env["PYTHON"] ?? "python3", ["-m", "venv", environment], folder);
  must(join(bin, "python"), ["-m", "pip", "install", "--quiet", wheel(), "-r", "requirements.txt"], folder);
  return (more) => run(join(bin, "pytest"), [], folder, { ...process.env, PATH: bin, ...more });
}

function installNode(folder) {
  // The package is installed from a file. No npm project is above the scratch folder, so nothing else is found.
  must("npm", ["install", "--silent", "--no-audit", "--no-fund", tarball()], folder);
  return (more) => run("npm", ["test", "--silent"], folder, { ...process.env, ...more });
}

/** Sends the turns of specs/chat.yaml to the example's agent; each turn is answered by a new process. */
function converse(folder, more, ...options) {
  const isPython = folder.endsWith("-python");
  const agent = isPython
    ? `"${join(folder, ".venv/bin/python")}" chat.py {query}`
    : "node --import tsx chat.ts {query}";
  const words = ["test", "--exec", agent, "--spec", "specs/chat.yaml", "--verbose", ...options];
  return run(process.execPath, [join(root, "bin/tracejury.js"), ...words], folder, {
    ...process.env,
    ...more,
  });
}

function wheel() {
  if (builtWheel === undefined) {
    if (!values.built) must(process.execPath, [join(root, "bin/build-python.js")], root);
    const dist = join(root, "python/dist");
    const file = readdirSync(dist).find((one) => one.endsWith(".whl"));
    builtWheel = join(dist, file);
  }
  return builtWheel;
}

function tarball() {
  if (packed === undefined) {
    must("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", scratch], root);
    packed = join(
      scratch,
      readdirSync(scratch).find((one) => one.endsWith(".tgz")),
    );
  }
  return packed;
}

function must(command, words, cwd) {
  const { status, said } = run(command, words, cwd, process.env);
  if (status !== 0) stop(`${command} ${words.join(" ")} failed with exit code ${status}\n${said}`);
}

function run(command, words, cwd, env) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
  });
  return { status, said: error ? error.message : `${stdout}${stderr}` };
}

function report(name, what, holds, { status, said }) {
  console.log(`${holds ? "✓" : "✗"} ${name} ${what}`);
  if (holds) return;
  failures++;
  console.log(`ended with ${status}\n${said}`);
}

function stop(message) {
  console.error(`examples: ${message}`);
  process.exit(1);
}
