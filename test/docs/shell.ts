import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { runCliAt } from "../support/run-cli.ts";

export interface ShellRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A block of a page, with the file that it is written to, or the exit code that it ends with. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly exit: number;
  readonly text: string;
}

export function blocksIn(page: string): readonly Block[] {
  const found = page.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", info = "", text = ""]) => ({
    language,
    file: /file=(\S+)/.exec(info)?.[1],
    exit: Number(/exit=(\d)/.exec(info)?.[1] ?? 0),
    text,
  }));
}

/**
 * Runs a block of a page in a folder; `tracejury` is the command of this project. In a block of nothing but plain commands of `tracejury`,
 * `export`, `cat`, `grep` and `sed`, those of `tracejury` run in this process, as starting Node for each takes longer than what they do. The
 * shell runs all others.
 * @param isStrict whether the first command that fails ends the block
 */
export async function runBlock(text: string, folder: string, isStrict: boolean): Promise<ShellRun> {
  const commands = plainCommands(text, folder);
  if (commands === null) return runShell(text, folder, isStrict);
  let [status, stdout, stderr]: [number | null, string, string] = [0, "", ""];
  for (const command of commands) {
    const ran = await ranAlone(command, folder);
    [status, stdout, stderr] = [ran.status, stdout + ran.stdout, stderr + ran.stderr];
    if (isStrict && status !== 0) break;
  }
  return { status, stdout, stderr };
}

/** A command of `tracejury`, its environment, and the file that gets its output; or a line for the shell. */
type Command =
  | string
  | {
      readonly words: readonly string[];
      readonly env: NodeJS.ProcessEnv;
      readonly to: string;
      readonly file: string;
    };

async function ranAlone(command: Command, folder: string): Promise<ShellRun> {
  if (typeof command === "string") return runShell(command, folder, true);
  const { words, env, to, file } = command;
  const { code, stdout, stderr } = await runCliAt(folder, env, ...words);
  if (to !== "") writeFileSync(join(folder, file), to === "2>" ? stderr : stdout);
  // The status of a pipe is that of its last command.
  return {
    status: to === "| tee" ? 0 : code,
    stdout: to === ">" ? "" : stdout,
    stderr: to === "2>" ? "" : stderr,
  };
}

function runShell(text: string, folder: string, isStrict: boolean): ShellRun {
  const command = 'tracejury() { node "$PWD/bin/tracejury.js" "$@"; }';
  const script = `${isStrict ? "set -e" : ""}\n${command}\n${text}`;
  return spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
}

/** The commands of each line; null if a line is something else, or needs more of a shell than quotes, globs and one file for the output. */
function plainCommands(text: string, folder: string): readonly Command[] | null {
  const joined = text.replaceAll(/\\\n\s*/g, " ");
  const commands: Command[] = [];
  let exported: NodeJS.ProcessEnv = process.env;
  // A file that is written word for word, or a line.
  for (const [line] of joined.matchAll(/^cat > .* <<'(\w+)'\n[^]*?^\1$|^.*\S.*$/gm)) {
    const [, before = line, to = "", file = ""] = /^(.*?) +(2?>|\| tee) ([\w./-]+)$/.exec(line) ?? [];
    const words = wordsOf(before, folder) ?? [];
    const at = words.findIndex((one) => one !== "export" && !/^\w+=/.test(one));
    const assigned = words.slice(0, at < 0 ? undefined : at).filter((one) => one !== "export");
    const env = { ...exported, ...Object.fromEntries(assigned.map((one) => one.split(/=(.*)/s, 2))) };
    if (words[0] === "export" && at < 0) exported = env;
    else if (words[at] === "tracejury") commands.push({ words: words.slice(at + 1), env, to, file });
    else if (/^(?:cat|grep|sed) /.test(line)) commands.push(line);
    else return null;
  }
  return commands.length === 0 ? null : commands;
}

const word = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([\w./:=,@%+*-]+))(?=\s|$)\s*/y;

/** The words of a line; null if it needs more of a shell than quotes and globs. */
export function wordsOf(line: string, folder: string): readonly string[] | null {
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
