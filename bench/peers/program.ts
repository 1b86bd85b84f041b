import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pin } from "../harness/child.ts";

/** A command that is installed. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

/** What a whole process took. */
export interface Took {
  /** CPU of it and all that it started, in milliseconds. */
  readonly cpu: number;
  /** Most resident memory of it and all that it started, in MiB; NaN where there is no /proc. */
  readonly peak: number;
  readonly exitCode: number;
  readonly stdout: string;
}

/** Nothing of the caller's environment but where programs are: no keys, so no judges, no proxies, and nothing that reports home. */
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

/**
 * The program of this name on the PATH, or at the given path; null when there is none on the PATH.
 * @throws Error when the one that was named, or found, does not say its version
 */
export function findProgram(name: string, named: string | undefined, home: string): Program | null {
  const path = named ?? onPath(name);
  if (path === null) return null;
  const { status, stdout, error } = spawnSync(path, ["--version"], {
    env: environment(home),
    encoding: "utf8",
  });
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout ?? "")?.[0];
  if (status !== 0 || version === undefined)
    throw new Error(`${path} --version: ${error?.message ?? `ended with ${status}`}`);
  return { path, version };
}

function onPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // the next folder may have it
    }
  }
  return null;
}

const LOOK_MS = 20;
/** Runs it, keeps its exit code, and says what it and what it waited for took. */
const script = '"$@"; code=$?; times >&3; exit $code';

/** Runs a whole process, on one core where that can be had. @throws Error when it did not end with one of `codes` */
export async function run(
  command: readonly string[],
  { home, codes }: { readonly home: string; readonly codes: readonly number[] },
): Promise<Took> {
  const [pinned, args] = pin("sh", ["-c", script, "sh", ...command]);
  const child = spawn(pinned, args, {
    cwd: home,
    env: environment(home),
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [stdout, stderr, times] = [1, 2, 3].map((at) => textOf(child.stdio[at]));
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  });
  let peak = Number.NaN;
  const looking = setInterval(() => {
    const now = residentOf(child.pid ?? 0);
    if (now > 0) peak = Number.isNaN(peak) ? now : Math.max(peak, now);
  }, LOOK_MS);
  const exitCode = await ended.finally(() => clearInterval(looking));
  const printed = (await stdout) ?? "";
  if (!codes.includes(exitCode) || (exitCode !== 0 && printed === "")) {
    const said = ((await stderr) ?? "").trim().split("\n").at(-1) ?? "";
    throw new Error(`${command.slice(0, 3).join(" ")} … ended with ${exitCode}: ${said}`);
  }
  return { cpu: cpuOf((await times) ?? ""), peak, exitCode, stdout: printed };
}

async function textOf(stream: unknown): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** The second line of the shell's `times` is about what it started. */
function cpuOf(times: string): number {
  const [, line = ""] = times.trim().split("\n");
  let seconds = 0;
  for (const [, minutes, rest] of line.matchAll(/(\d+)m([\d.]+)s/g))
    seconds += Number(minutes) * 60 + Number(rest);
  return seconds * 1000;
}

/** MiB that a process and all below it held at most until now, each at its own most; 0 when that cannot be seen. */
function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" "),
    );
    return children
      .filter((child) => child !== "")
      .reduce((sum, child) => sum + residentOf(Number(child)), own);
  } catch {
    return 0; // it is over
  }
}
