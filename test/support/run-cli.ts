import { PassThrough, Readable, Writable } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, with captured output. */
export async function runCli(...given: readonly string[]): Promise<Ran> {
  return runCliWith({}, ...given);
}

type Values = readonly (string | readonly string[])[];

/** Splits a command line into arguments at blanks and line breaks. A value is one argument, a part of one, or a list of arguments. */
export function argv(text: TemplateStringsArray, ...values: Values): readonly string[] {
  const found: string[] = [];
  let isOpen = false;
  const add = (part: string): void => {
    found.push(isOpen ? `${found.pop() ?? ""}${part}` : part);
    isOpen = true;
  };
  for (const [at, between] of text.entries()) {
    for (const [nth, part] of between.split(/\s+/).entries()) {
      if (nth > 0) isOpen = false;
      if (part !== "") add(part);
    }
    const value = values[at];
    if (typeof value === "string") add(value);
    else found.push(...(value ?? []));
  }
  return found;
}

/** Runs a command line that is one text. */
export function cli(text: TemplateStringsArray, ...values: Values): Promise<Ran> {
  return runCli(...argv(text, ...values));
}

export async function runCliWith(
  {
    stdin = "",
    env = {},
    onError = () => undefined,
  }: {
    stdin?: string | Uint8Array;
    env?: NodeJS.ProcessEnv;
    /** Called with each text that is written to standard error. */
    onError?: (text: string) => void;
  },
  ...given: readonly string[]
): Promise<Ran> {
  const stdout = new Captured();
  const stderr = new Captured(onError);
  const code = await run(["node", "tracejury", ...given, ...askedAnew(env, given)], {
    stdin: Readable.from([stdin]),
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    env,
    cwd: process.cwd(),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs a command line in this process with another working folder and the environment of this process. */
export async function runCliIn(folder: string, ...given: readonly string[]): Promise<Ran> {
  return runCliAt(folder, process.env, ...given);
}

/** Runs a command line in this process with another working folder and environment. */
export async function runCliAt(
  folder: string,
  env: NodeJS.ProcessEnv,
  ...given: readonly string[]
): Promise<Ran> {
  const outer = process.cwd();
  process.chdir(folder);
  try {
    return await runCliWith({ env }, ...given);
  } finally {
    process.chdir(outer);
  }
}

export interface RunningCli {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** Stops the command as a signal does, and returns its exit code. */
  stop(): Promise<number>;
}

/** Starts a command in this process that runs until it is stopped. */
export function startCli(cwd: string, ...given: readonly string[]): RunningCli {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const known = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const added = signals.flatMap(
    (signal) => () => process.listeners(signal).filter((listener) => !known.has(listener)),
  );
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = run(["node", "tracejury", ...given], {
    stdin,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new Captured() as unknown as NodeJS.WriteStream,
    env: process.env,
    cwd,
  });
  return {
    stdin,
    stdout,
    async stop() {
      for (const listener of added.flatMap((listeners) => listeners())) listener("SIGTERM");
      const code = await ended;
      for (const [at, signal] of signals.entries())
        for (const listener of added[at]?.() ?? []) process.removeListener(signal, listener);
      return code;
    },
  };
}

/**
 * Turns the judge cache off if the judge is scripted. Otherwise a test could get the answer of another test's judge at the same address.
 */
function askedAnew(env: NodeJS.ProcessEnv, given: readonly string[]): readonly string[] {
  const isScripted = env["OPENAI_BASE_URL"] !== undefined || env["ANTHROPIC_BASE_URL"] !== undefined;
  const isOwnCache = given.some((word) => /^(?:data_dir|judge\.cache)=/.test(word));
  return given[0] === "test" && isScripted && !isOwnCache ? ["--no-judge-cache"] : [];
}

class Captured extends Writable {
  text = "";
  readonly isTTY = false;
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void = () => undefined) {
    super();
    this.#onText = onText;
  }

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    this.#onText(chunk.toString());
    done();
  }
}
