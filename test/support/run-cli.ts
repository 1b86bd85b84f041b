import { Readable, Writable } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, on streams of its own. */
export async function runCli(...words: readonly string[]): Promise<Ran> {
  return runCliWith({}, ...words);
}

export async function runCliWith(
  { stdin = "", env = {} }: { stdin?: string | Uint8Array; env?: NodeJS.ProcessEnv },
  ...words: readonly string[]
): Promise<Ran> {
  const stdout = new Captured();
  const stderr = new Captured();
  const code = await run(["node", "tracejury", ...words, ...askedAnew(env, words)], {
    stdin: Readable.from([stdin]),
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    env,
    cwd: process.cwd(),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A scripted judge is asked by each test, whatever another one was told by an earlier judge at the same address. */
function askedAnew(env: NodeJS.ProcessEnv, words: readonly string[]): readonly string[] {
  const isScripted = env["OPENAI_BASE_URL"] !== undefined || env["ANTHROPIC_BASE_URL"] !== undefined;
  const isOwnCache = words.some((word) => /^(?:data_dir|judge\.cache)=/.test(word));
  return words[0] === "test" && isScripted && !isOwnCache ? ["--no-judge-cache"] : [];
}

class Captured extends Writable {
  text = "";
  readonly isTTY = false;

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
