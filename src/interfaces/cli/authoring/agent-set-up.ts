import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";

/** How to install the agent in a folder, and how to run it. */
export interface AgentSetUp {
  /** Name of the file from which the set-up was derived. Null if the folder has no such file. */
  readonly foundIn: string | null;
  readonly language: "python" | "node";
  readonly install: readonly string[];
  /** The command for `test --exec`. */
  readonly exec: string;
  /**
   * Whether the program in `exec` was found: it is a file in the folder, or the `main` of package.json. If false, `exec` is only an
   * example.
   */
  readonly isExecFound: boolean;
}

const PYTHON_ENTRIES = ["agent.py", "main.py", "app.py", "src/agent.py", "src/main.py"];
const NODE_ENTRIES = ["agent", "index", "main", "app", "src/agent", "src/index", "src/main"].flatMap((name) =>
  ["ts", "mts", "mjs", "js"].map((extension) => `${name}.${extension}`),
);

/**
 * Derives the set-up of the agent in a folder from its lock file; if there is none, from its list of packages. If there is neither, no
 * packages are installed, and the language is that of the agent's source file, or Python if no source file is found.
 */
export function agentSetUp(folder: string): AgentSetUp {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const python = (foundIn: string | null, install: readonly string[], prefix = ""): AgentSetUp => ({
    foundIn,
    language: "python",
    install,
    exec: `${prefix}python ${PYTHON_ENTRIES.find(has) ?? "agent.py"} {query}`,
    isExecFound: PYTHON_ENTRIES.some(has),
  });
  const node = (foundIn: string | null, install: readonly string[]): AgentSetUp => ({
    foundIn,
    language: "node",
    install,
    ...nodeCommand(folder),
  });
  if (has("uv.lock")) return python("uv.lock", ["pip install uv", "uv sync --locked"], "uv run ");
  if (has("poetry.lock"))
    return python("poetry.lock", ["pip install poetry", "poetry install"], "poetry run ");
  if (has("requirements.txt")) return python("requirements.txt", ["pip install -r requirements.txt"]);
  if (has("pyproject.toml")) return python("pyproject.toml", ["pip install ."]);
  if (has("pnpm-lock.yaml"))
    return node("pnpm-lock.yaml", ["npm install --global pnpm", "pnpm install --frozen-lockfile"]);
  if (has("yarn.lock")) return node("yarn.lock", ["npm install --global corepack", "corepack yarn install"]);
  if (has("package-lock.json")) return node("package-lock.json", ["npm ci"]);
  if (has("package.json")) return node("package.json", ["npm install"]);
  return !PYTHON_ENTRIES.some(has) && NODE_ENTRIES.some(has) ? node(null, []) : python(null, []);
}

function nodeCommand(folder: string): Pick<AgentSetUp, "exec" | "isExecFound"> {
  const found = NODE_ENTRIES.find((name) => existsSync(join(folder, name))) ?? mainOf(folder);
  const entry = found ?? "agent.js";
  // A TypeScript file is run by tsx if the project depends on it; otherwise by Node, which runs TypeScript from Node 22.18 on.
  const program = /\.m?ts$/.test(entry) && dependsOn(folder, "tsx") ? "npx tsx" : "node";
  return { exec: `${program} ${entry} {query}`, isExecFound: found !== null };
}

/** Returns `main` of package.json. Returns null if package.json or its `main` is missing. */
function mainOf(folder: string): string | null {
  const main = packageIn(folder)?.["main"];
  return typeof main === "string" && main !== "" ? main : null;
}

function dependsOn(folder: string, name: string): boolean {
  const written = packageIn(folder);
  return ["dependencies", "devDependencies"].some((kind) => {
    const listed = written?.[kind];
    return isObject(listed) && listed[name] !== undefined;
  });
}

/** Returns the content of package.json; null if the file is missing or is not JSON. */
function packageIn(folder: string): JsonObject | null {
  try {
    const written: JsonValue = parse(readFileSync(join(folder, "package.json"), "utf8"));
    return isObject(written) ? written : null;
  } catch {
    return null;
  }
}
