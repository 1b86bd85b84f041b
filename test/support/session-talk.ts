import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { run } from "../../src/interfaces/cli/main.ts";
import { postDump } from "./post-dump.ts";

/** One process's side of a session: a request is a line, its answer the next line. */
export class SessionTalk {
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #lines = createInterface({ input: this.#stdout })[Symbol.asyncIterator]();
  readonly #code: Promise<number>;
  endpoint = "";
  #id = 0;

  constructor(words: readonly string[], env: NodeJS.ProcessEnv) {
    this.#code = run(["node", "tracejury", "session", ...words], {
      stdin: this.#stdin,
      stdout: this.#stdout as unknown as NodeJS.WriteStream,
      stderr: new PassThrough() as unknown as NodeJS.WriteStream,
      env,
      cwd: process.cwd(),
    });
  }

  async line(): Promise<Record<string, unknown>> {
    const { value } = (await this.#lines.next()) as { value: string };
    return JSON.parse(value) as Record<string, unknown>;
  }

  async ask(method: string, parameters: object = {}): Promise<Record<string, unknown>> {
    return this.raw(JSON.stringify({ id: ++this.#id, method, ...parameters }));
  }

  async raw(line: string): Promise<Record<string, unknown>> {
    this.#stdin.write(`${line}\n`);
    return this.line();
  }

  async end(): Promise<number> {
    this.#stdin.end();
    return this.#code;
  }

  /** What an agent that was recorded sends. */
  send(file: string): Promise<void> {
    return postDump(this.endpoint, file);
  }

  /** A call of that agent. Gives the runs it made. */
  async call(file: string): Promise<{ run_id: string; complete: boolean }[]> {
    await this.ask("begin");
    await this.send(file);
    const { result } = (await this.ask("finish", { wait_ms: 60_000 })) as { result: { runs: [] } };
    return result.runs;
  }
}
