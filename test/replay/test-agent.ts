import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { type Ran, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface TestedAgent extends Ran {
  /** Folder of the telemetry. */
  readonly keep: string;
  readonly result: ReturnType<typeof resultSchema.parse>;
}

/** Runs `tracejury test` on an agent, with its JSON report. */
export async function testAgent(env: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<TestedAgent> {
  const keep = temporaryFolder();
  const ran = await runCliWith({ env }, "test", ...words, "--keep", keep, "--format", "json");
  if (ran.stdout === "") throw new Error(ran.stderr);
  return { ...ran, keep, result: resultSchema.parse(JSON.parse(ran.stdout)) };
}

/** Starts an agent as a server; returns the port that it prints. It ends with the test. */
export async function serveAgent(script: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn("node", [script, "serve"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const printed = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
  return Number(printed.toString());
}
