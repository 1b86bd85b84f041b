import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const serving = fileURLToPath(new URL("../servers/serving.js", import.meta.url));

/** Pins to the first core where that can be done, so that helper threads share it. */
export function pin(command: string, args: string[]): [command: string, args: string[]] {
  const can = availableParallelism() > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  return can ? ["taskset", ["-c", "0", command, ...args]] : [command, args];
}

export interface Usage {
  /** Microseconds of CPU since the process began. */
  readonly cpu: number;
  readonly rss: number;
}

/** A server in a process of its own. */
export class Child {
  readonly ports: { readonly http: number; readonly grpc: number };
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, ports: { http: number; grpc: number }) {
    this.#process = process;
    this.ports = ports;
  }

  /** @param more address of a backend, and how durable its queue is: see `serving.ts` */
  static async start(kind: "discard" | "live", holdMs = 500, more: readonly string[] = []): Promise<Child> {
    const [command, args] = pin(process.execPath, [serving, kind, String(holdMs), ...more]);
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return new Child(child, (await answer(child)) as { http: number; grpc: number });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async usage(): Promise<Usage> {
    const answered = answer(this.#process);
    this.#process.send("usage");
    const { cpu, rss } = (await answered) as { cpu: NodeJS.CpuUsage; rss: number };
    return { cpu: cpu.user + cpu.system, rss };
  }

  stop(): void {
    this.#process.disconnect();
  }
}

function answer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
