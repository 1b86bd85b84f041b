import { Readable, Writable } from "node:stream";

/** Maximum number of captured characters. Later output is dropped. */
const LONGEST = 16 * 2 ** 20;

/**
 * Creates the streams and environment for a command whose output is captured. The streams are not a terminal, and standard input is empty.
 */
export function capturedIo(env: NodeJS.ProcessEnv, cwd: string) {
  const stdout = new Captured();
  const stderr = new Captured();
  return {
    io: {
      stdin: Readable.from([]),
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      env: { ...withoutCi(env), NO_COLOR: "1" },
      cwd,
    },
    stdout: () => stdout.text,
    stderr: () => stderr.text,
  };
}

/**
 * Returns the environment without GitHub's variables, so that the command writes no job summary and no
 * annotations.
 */
function withoutCi(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GITHUB_")));
}

class Captured extends Writable {
  text = "";
  readonly isTTY = false;

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    if (this.text.length < LONGEST) this.text += chunk.toString();
    done();
  }
}
