import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The script of the action's step that judges, run with a command that prints its arguments.
 */

const { inputs, runs } = parse(readFileSync("action.yml", "utf8"));
const step = runs.steps.find((one: { readonly id?: string }) => one.id === "test");

interface Ran {
  readonly code: number | null;
  readonly words: readonly string[];
  readonly output: string;
  readonly stdout: string;
}

/** Runs the step with inputs, as the runner fills them in. */
function ran(given: Readonly<Record<string, string>>): Ran {
  const folder = temporaryFolder();
  const command = join(folder, "command.mjs");
  const argumentsFile = join(folder, "arguments.json");
  writeFileSync(
    command,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(argumentsFile)}, JSON.stringify(process.argv.slice(2))); process.exit(1);`,
  );
  const outputFile = join(folder, "output");
  writeFileSync(outputFile, "");
  const env = Object.entries<string>(step.env).map(([name, expression]) => {
    const input = /inputs\.([\w-]+)/.exec(expression)?.[1];
    return [name, input === undefined ? command : (given[input] ?? inputs[input]?.default ?? "")] as const;
  });
  const { status, stdout } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", step.run], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...Object.fromEntries(env), GITHUB_OUTPUT: outputFile },
  });
  const output = readFileSync(outputFile, "utf8");
  const words = status === 0 ? (JSON.parse(readFileSync(argumentsFile, "utf8")) as string[]) : [];
  return { code: status, words: words.slice(0, words.indexOf("--output")), output, stdout };
}

describe.skipIf(process.platform === "win32")("the action", () => {
  test("requires no input: specs may be those of the configuration", () => {
    const all = Object.values<{ readonly required?: boolean }>(inputs);
    expect(all.filter(({ required }) => required === true)).toEqual([]);
    expect(ran({}).words).toEqual(["test", "--judge", "auto"]);
  });

  const exec = `uv run python "my agent.py" {query} $HOME`;
  const kept = "--keep|tracejury-reports/calls|--judge|auto";
  const several = { dumps: `a.jsonl "b c.jsonl"\nd*.jsonl`, spec: "one.yaml 'two three.yaml'", judge: "off" };
  const args = "--query 'Where is my order?' --tags \"a b\" $(id) `id` ~ *";
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "an agent's command as it is",
      { exec, spec: "specs/*.yaml" },
      `--spec|specs/*.yaml|--exec|${exec}|${kept}`,
    ],
    ["an address", { url: "http://localhost:8000/ask" }, `--url|http://localhost:8000/ask|${kept}`],
    [
      "several dumps and specs, with spaces where they are quoted",
      several,
      "a.jsonl|b c.jsonl|d*.jsonl|--spec|one.yaml|--spec|two three.yaml|--judge|off",
    ],
    [
      "arguments with spaces, and expands nothing",
      { dumps: "a.jsonl", args },
      "a.jsonl|--judge|auto|--query|Where is my order?|--tags|a b|$(id)|`id`|~|*",
    ],
    ["a backslash before a space", { dumps: "b\\ c.jsonl" }, "b c.jsonl|--judge|auto"],
  ])("takes %s", (_, given, words) => {
    expect(ran(given).words).toEqual(["test", ...words.split("|")]);
  });

  test("reports the exit code, and a quote that is not closed", () => {
    expect(ran({ dumps: "a.jsonl" }).output).toBe("exit-code=1\n");
    const open = ran({ args: "--query 'Where is" });
    expect(open.code).toBe(2);
    expect(open.stdout).toContain("::error::unclosed quote in: --query 'Where is");
  });
});
