import { spawnSync } from "node:child_process";
import { globSync } from "tinyglobby";
import { runCliIn } from "../support/run-cli.ts";

export interface ShellRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a block of a page in a folder; `tracejury` is the command of this project. A block of nothing but plain commands of `tracejury` runs in
 * this process, as starting Node for each takes longer than what they do. The shell runs all others.
 * @param isStrict whether the first command that fails ends the block
 */
export async function runBlock(text: string, folder: string, isStrict: boolean): Promise<ShellRun> {
  const commands = plainCommands(text, folder);
  if (commands === null) return runShell(text, folder, isStrict);
  let [status, stdout, stderr] = [0, "", ""];
  for (const words of commands) {
    const ran = await runCliIn(folder, ...words);
    [status, stdout, stderr] = [ran.code, stdout + ran.stdout, stderr + ran.stderr];
    if (isStrict && status !== 0) break;
  }
  return { status, stdout, stderr };
}

function runShell(text: string, folder: string, isStrict: boolean): ShellRun {
  const command = 'tracejury() { node "$PWD/bin/tracejury.js" "$@"; }';
  const script = `${isStrict ? "set -e" : ""}\n${command}\n${text}`;
  return spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
}

/** The words after `tracejury` of each line; null if a line is something else, or needs more of a shell than quotes and globs. */
function plainCommands(text: string, folder: string): readonly (readonly string[])[] | null {
  const lines = text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const commands: (readonly string[])[] = [];
  for (const line of lines) {
    const [program, ...words] = wordsOf(line, folder) ?? [];
    if (program !== "tracejury") return null;
    commands.push(words);
  }
  return commands.length === 0 ? null : commands;
}

const word = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([\w./:=,@%+*-]+))(?=\s|$)\s*/y;

function wordsOf(line: string, folder: string): readonly string[] | null {
  const words: string[] = [];
  for (word.lastIndex = 0; word.lastIndex < line.length;) {
    const found = word.exec(line);
    if (found === null) return null;
    const [, single, double, bare = ""] = found;
    const files = bare.includes("*") ? globSync(bare, { cwd: folder, expandDirectories: false }).sort() : [];
    words.push(...(files.length > 0 ? files : [single ?? double ?? bare]));
  }
  return words;
}
