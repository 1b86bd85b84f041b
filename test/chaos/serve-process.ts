import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export interface ServeProcessOptions {
  readonly config: string;
  /** What Node is started with. */
  readonly nodeArguments?: readonly string[];
  /** What the process is run under, such as strace. */
  readonly under?: readonly string[];
}

/** The built `tracejury serve`, found from the sources and from what was built of them alike. */
const command = ["../../bin/tracejury.js", "../../../bin/tracejury.js"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => !path.includes("/dist/")) as string;

/** One `tracejury serve`, to be killed. */
export class ServeProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #log = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, "exit");
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#log = `${this.#log}${chunk.toString()}`.slice(-20_000);
    });
  }

  /** Resolves when it listens. Rejects with what it said when it ends before. */
  static async start({ config, nodeArguments = [], under = [] }: ServeProcessOptions): Promise<ServeProcess> {
    const words = [...under, process.execPath, ...nodeArguments, command, "serve", "--config", config];
    const [program = "", ...rest] = words;
    const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
    const started = new ServeProcess(child);
    const listening = child.stdout === null ? Promise.resolve() : once(child.stdout, "data");
    const first = await Promise.race([listening.then(() => "listens"), started.#exited.then(() => "ended")]);
    if (first === "ended") throw new Error(`serve ended with ${child.exitCode}:\n${started.#log}`);
    child.stdout?.resume();
    return started;
  }

  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Gives the exit code, null after a signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    await this.#exited;
    return this.#child.exitCode;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
