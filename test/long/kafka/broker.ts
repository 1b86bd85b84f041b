import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";

const tool = process.env["KAFKA_TOOL"] ?? "../shared/tools/kafka.sh";

/**
 * A broker on this machine. A program starts and stops it with the arguments `start` and `stop`, and prints its address: $KAFKA_TOOL, or a
 * default beside the checkout.
 */
export const broker = {
  /** Returns the address. @throws Error if there is no such program */
  async start(): Promise<string> {
    if (!existsSync(tool))
      throw new Error(
        `no broker: ${tool} does not exist. Set KAFKA_TOOL to a program that starts and stops a broker`,
      );
    return (await call("start")).trim().split("\n").at(-1) ?? "";
  },
  async stop(): Promise<void> {
    await call("stop");
  },
  /** Restarts the broker with its data on disk. */
  async restart(): Promise<void> {
    await call("stop");
    await call("start");
  },
};

/** Retries, because a busy machine may need longer than the program waits. */
async function call(word: string, attempt = 1): Promise<string> {
  const child = spawn(tool, [word], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  // Waits for `exit`, not `close`, because the broker keeps the pipe open.
  const [code] = (await once(child, "exit")) as [number | null];
  child.stdout.destroy();
  if (code !== 0 && attempt < 3) return call(word, attempt + 1);
  if (code !== 0) throw new Error(`${tool} ${word} failed with exit code ${code}`);
  return output;
}
