import { execFileSync, spawn, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pinned, pinnedNode } from "./measured.ts";

const tracejury = fileURLToPath(new URL("../../../bin/tracejury.js", import.meta.url));
const parsing = fileURLToPath(new URL("../servers/parsing.js", import.meta.url));

/** The cost and the output of a process. */
export interface Took {
  /** CPU of the process and its child processes, in microseconds. */
  readonly cpuUs: number;
  readonly stdout: string;
}

/** From the caller's environment only PATH is used. So no provider key is set, and the settings below turn off telemetry. */
function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    DO_NOT_TRACK: "1",
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    PROMPTFOO_CONFIG_DIR: join(home, "promptfoo"),
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
    PROMPTFOO_SELF_HOSTED: "1",
  };
}

/** Runs the command, writes the CPU times of the command to descriptor 3, and keeps the exit code. */
const script = '"$@"; code=$?; times >&3; exit $code';

/** Runs a command, pinned to one core if possible. @throws Error if its exit code is not in `codes` */
export async function runWhole(
  command: readonly string[],
  { home, codes = [0, 1, 2] }: { readonly home: string; readonly codes?: readonly number[] },
): Promise<Took> {
  const [program = "", ...args] = [...pinned(), "sh", "-c", script, "sh", ...command];
  const stdio = ["ignore", "pipe", "pipe", "pipe"] as const;
  const child = spawn(program, args, { cwd: home, env: environment(home), stdio: [...stdio] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  });
  const outputs = [1, 2, 3].map((at) => text(child.stdio[at] as Readable));
  const [stdout = "", stderr = "", times = ""] = await Promise.all(outputs);
  const code = await ended;
  if (!codes.includes(code) || (code !== 0 && stdout === "")) {
    const said = stderr.trim().split("\n").at(-1) ?? "";
    throw new Error(`${command.slice(0, 3).join(" ")} … ended with ${code}: ${said}`);
  }
  return { cpuUs: cpuOf(times), stdout };
}

/** The second line of the shell's `times` has the CPU of child processes. */
function cpuOf(times: string): number {
  const [, line = ""] = times.trim().split("\n");
  let seconds = 0;
  for (const [, minutes, rest] of line.matchAll(/(\d+)m([\d.]+)s/g))
    seconds += Number(minutes) * 60 + Number(rest);
  return seconds * 1e6;
}

/** The command `tracejury test` without judges and with a JSON report. */
export function testing(spec: string, ...more: readonly string[]): string[] {
  return [process.execPath, tracejury, "test", ...more, "--spec", spec, "--judge", "off", "--format", "json"];
}

/**
 * CPU in microseconds of `JSON.parse` of all lines of a file. Another process repeats this until it has used `leastUs`, and returns the
 * mean.
 */
export function parsedUs(file: string, leastUs = 200_000): number {
  const command = pinnedNode([parsing, file, String(leastUs)]);
  const [taken = Number.NaN] = JSON.parse(execFileSync(...command, { encoding: "utf8" })) as number[];
  return taken;
}

/** An installed program. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

/**
 * The program at the path `named`, or the program `name` on the PATH; null if it is not on the PATH.
 * @throws Error if `--version` of the program fails
 */
export function findProgram(name: string, named: string | undefined, home: string): Program | null {
  const path =
    named ??
    (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(isProgram);
  if (path === undefined) return null;
  const asked = spawnSync(path, ["--version"], { env: environment(home), encoding: "utf8" });
  const version = /\d+\.\d+\.\d+\S*/.exec(asked.stdout ?? "")?.[0];
  if (asked.status !== 0 || version === undefined)
    throw new Error(`${path} --version: ${asked.error?.message ?? `ended with ${asked.status}`}`);
  return { path, version };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
