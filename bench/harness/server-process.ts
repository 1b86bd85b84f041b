import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server program in its own process group. */
export interface ServerProcess {
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface Starting {
  /** The program's output goes to `output.txt` in this folder. */
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Called repeatedly until it returns true. */
  readonly isReady: () => Promise<boolean>;
}

const LONGEST_S = 300;

/** @throws Error if the program ends, or is not ready within five minutes */
export async function startServer(command: readonly string[], starting: Starting): Promise<ServerProcess> {
  const { folder, env = {}, isReady } = starting;
  const [program = "", ...args] = command;
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "output.txt");
  const output = openSync(log, "a");
  const stdio = ["ignore", output, output] as const;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: [...stdio],
    detached: true,
  });
  closeSync(output);
  const ended = once(child, "exit").catch((error: unknown) => error);
  const isOver = (): boolean =>
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && !isOver()) process.kill(-child.pid, signal);
  };
  process.once("exit", () => kill("SIGKILL"));
  for (let waited = 0; !(await isReady()); waited += 0.2) {
    if (isOver() || waited > LONGEST_S) throw new Error(`${program} is not ready: see ${log}`);
    await sleep(200);
  }
  return {
    pid: child.pid ?? 0,
    async end(signal) {
      kill(signal);
      const isGone = await Promise.race([ended.then(() => true), sleep(10_000, false)]);
      if (!isGone) kill("SIGKILL");
      await ended;
    },
  };
}

/** Whether a program listens on a port of this machine. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
