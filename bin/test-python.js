#!/usr/bin/env node
// `node bin/test-python.js [ARGUMENTS OF PYTEST]` builds the wheel, installs it into a new virtual environment of PYTHON (default:
// `python3`) and tests it without Node on the path. Then it runs the Python examples. Needs the registry of Python packages.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tracejury-python-"));
const bin = join(folder, process.platform === "win32" ? "Scripts" : "bin");
const sources = join(root, "python");

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
run(process.execPath, [join(root, "bin/build-python.js")]);
const dist = join(sources, "dist");
const wheels = readdirSync(dist).map((file) => join(dist, file));
run(process.env["PYTHON"] ?? "python3", ["-m", "venv", folder]);
const python = join(bin, "python");
run(python, ["-m", "pip", "install", "--quiet", ...wheels, "-r", "tests/requirements.txt"]);
run(python, ["-m", "mypy", "src"]);
run(python, ["-m", "pyright", "--pythonpath", python, "src"]);

const { PATH: _, ...env } = process.env;
const alone = { ...env, PATH: bin };
run(join(bin, "tracejury"), ["--version"], alone);
run(python, ["-m", "pytest", "tests", "-n", "2", ...process.argv.slice(2)], alone);
// Examples with LangGraph and with the OpenAI Agents SDK. Both use a scripted model.
const examples = ["langgraph-python", "openai-agents-python"];
run(process.execPath, [join(root, "bin/run-examples.js"), "--built", ...examples]);

function run(command, words, environment = process.env) {
  const { status, error } = spawnSync(command, words, { cwd: sources, env: environment, stdio: "inherit" });
  if (status === 0) return;
  console.error(
    `test:python: ${command} ${words[0]} ${error ? error.message : `failed with exit code ${status}`}`,
  );
  process.exit(1);
}
