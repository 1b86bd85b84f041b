import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";

const tool = process.env["KAFKA_TOOL"] ?? "../shared/tools/kafka.sh";

/**
 * A broker on this machine, started and stopped by a tool that knows `start` and `stop`, and prints its address when it has started:
 * $KAFKA_TOOL, or the one beside the checkout.
 */
export const broker = {
  /** Gives its address. @throws Error when there is no tool */
  async start(): Promise<string> {
    if (!existsSync(tool))
      throw new Error(
        `no broker: set KAFKA_TOOL to a program that starts and stops one (${tool} is not there)`,
      );
    return (await call("start")).trim().split("\n").at(-1) ?? "";
  },
  async stop(): Promise<void> {
    await call("stop");
  },
  /** Stops it and starts it again with what it has on the disk. */
  async restart(): Promise<void> {
    await call("stop");
    await call("start");
  },
};

/** A busy machine may need longer than the tool waits. */
async function call(word: string, attempt = 1): Promise<string> {
  const child = spawn(tool, [word], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  // Not `close`: the broker that it starts keeps the pipe.
  const [code] = (await once(child, "exit")) as [number | null];
  child.stdout.destroy();
  if (code !== 0 && attempt < 3) return call(word, attempt + 1);
  if (code !== 0) throw new Error(`${tool} ${word} ended with ${code}`);
  return output;
}
