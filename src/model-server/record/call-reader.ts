import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../model/json.ts";
import { builtFile } from "../../support/process/built-file.ts";
import { redactOtlp } from "../../support/redact/redact-otlp.ts";
import { nothingRedacted, Redactor } from "../../support/redact/redactor.ts";
import type { RecordedCall } from "./call-span.ts";
import { receiveMessages, sendMessage } from "./message-pipe.ts";
import { type CopiedCall, readCall } from "./read-call.ts";
import type { Done, Job, Reply } from "./recording-process.ts";

/**
 * Above this size in bytes, a body is decoded, and JSON is redacted, in another process. Decoding and redacting each take up to half a
 * second for each MiB.
 */
const LARGEST_HERE = 64 * 2 ** 10;
/** Memory limit of the process that decodes calls, in MiB. This is enough for a body of 32 MiB, as text and as parsed values. */
const HEAP_MIB = 256;

type ReaderProcess = ChildProcessByStdio<Writable, Readable, null>;

interface Waiting {
  readonly resolve: (done: Done | null) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Decodes and redacts recorded calls. Large calls are decoded in a separate process with a memory limit, so that they do not delay running
 * calls, and cannot use up the memory. The first large call starts the process.
 */
export class CallReader {
  readonly #redactor: Redactor;
  readonly #heapMib: number;
  readonly #waiting = new Map<number, Waiting>();
  #process: ReaderProcess | null = null;
  #started = 0;

  constructor(redactor: Redactor = new Redactor(nothingRedacted), heapMib = HEAP_MIB) {
    this.#redactor = redactor;
    this.#heapMib = heapMib;
  }

  /** Decodes a call as `readCall` does. If it is too long, or decoding needs too much memory, the result has no messages. */
  async read(call: CopiedCall, mostBytes: number): Promise<RecordedCall> {
    const isSmall = [call.requestBody, call.responseBody].every(
      (body) => typeof body === "string" || body.length <= LARGEST_HERE,
    );
    const done = isSmall ? null : await this.#run({ call, mostBytes });
    if (done !== null && typeof done === "object") return done;
    return readCall(
      isSmall ? call : { ...call, requestBody: "no_memory", responseBody: "no_memory" },
      mostBytes,
    );
  }

  /** Returns the redacted JSON of a request; null if it needs too much memory. */
  async redact(request: JsonObject): Promise<string | null> {
    if (JSON.stringify(request).length <= LARGEST_HERE)
      return JSON.stringify(redactOtlp(request, this.#redactor));
    const done = await this.#run({ request, settings: this.#redactor.settings });
    return typeof done === "string" ? done : null;
  }

  /** Returns the result of a job; null if the process has ended before it. */
  async #run(job: Job): Promise<Done | null> {
    this.#process ??= this.#start();
    const child = this.#process;
    const id = ++this.#started;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      sendMessage(child.stdin, { id, job });
    });
  }

  #start(): ReaderProcess {
    const file = builtFile("recording-process", import.meta.url);
    const heap = `--max-old-space-size=${this.#heapMib}`;
    const child = spawn(process.execPath, [heap, fileURLToPath(file)], {
      // Standard error is ignored, because Node prints a long report there when the memory limit is reached.
      stdio: ["pipe", "pipe", "ignore"],
    });
    const lost = (): void => {
      if (this.#process === child) this.#lose();
    };
    child.on("error", lost);
    child.on("exit", lost);
    child.stdin.on("error", lost);
    receiveMessages(child.stdout, (message) => this.#received(message as Reply)).catch(lost);
    return child;
  }

  #received(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.done);
  }

  /** Resolves all waiting jobs to null, because the process has ended. */
  #lose(): void {
    this.#process = null;
    for (const { resolve } of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }

  close(): void {
    this.#process?.kill();
    this.#lose();
  }
}
