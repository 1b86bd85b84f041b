import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";

/**
 * A broker on this machine, started and stopped by a tool that knows `start` and `stop`, and prints its address when it has started:
 * $KAFKA_TOOL, or the one beside the checkout.
 */
export class Broker {
  readonly #tool: string;
  readonly address: string;

  private constructor(tool: string, address: string) {
    this.#tool = tool;
    this.address = address;
  }

  static async start(): Promise<Broker> {
    const tool = process.env["KAFKA_TOOL"] ?? "../shared/tools/kafka.sh";
    if (!existsSync(tool)) {
      throw new Error(
        `no broker: set KAFKA_TOOL to a program that starts and stops one (${tool} is not there)`,
      );
    }
    return new Broker(tool, await start(tool));
  }

  async stop(): Promise<void> {
    await call(this.#tool, "stop");
  }

  /** Stops it and starts it again with what it has on the disk. */
  async restart(): Promise<void> {
    await this.stop();
    await start(this.#tool);
  }
}

const ATTEMPTS = 3;

/** A busy machine may need longer than the tool waits. */
async function start(tool: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { code, output } = await call(tool, "start");
    if (code === 0) return output.trim().split("\n").at(-1) ?? "";
    if (attempt === ATTEMPTS) throw new Error(`${tool} start ended with ${code}`);
  }
}

async function call(tool: string, word: string): Promise<{ code: number; output: string }> {
  const child = spawn(tool, [word], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  // Not `close`: the broker that it starts keeps the pipe.
  const [code] = (await once(child, "exit")) as [number | null];
  child.stdout.destroy();
  return { code: code ?? 1, output };
}
