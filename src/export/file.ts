import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { DropReason, ExportEvents, ExportRoute } from "./export-events.ts";

export interface FileExporterOptions {
  readonly path: string;
  readonly events: ExportEvents;
  /** A line is on its way to the disk at latest after this time. */
  readonly maxDelayMs?: number;
  readonly maxWaitingBytes?: number;
}

export interface FileExporter {
  /** Appends one line; `line` has no line break. Returns at once; `done` is called when it is written or given up. */
  offer(line: string, done?: () => void): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const largeWrite = 256 * 1024;

/** Appends lines to a file in large writes, creating it and its folder when the first one comes. */
export function createFileExporter(options: FileExporterOptions): FileExporter {
  return new Appender(options);
}

class Appender implements FileExporter {
  readonly #path: string;
  readonly #events: ExportEvents;
  readonly #route: ExportRoute;
  readonly #maxDelayMs: number;
  readonly #maxWaitingBytes: number;
  #lines: string[] = [];
  #dones: (() => void)[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #file: FileHandle | undefined;
  /** Whether the file ends in the middle of a line that a failed or broken-off write left. */
  #torn = false;

  constructor({ path, events, maxDelayMs = 1000, maxWaitingBytes = 16 * 1024 * 1024 }: FileExporterOptions) {
    this.#path = path;
    this.#events = events;
    this.#maxDelayMs = maxDelayMs;
    this.#maxWaitingBytes = maxWaitingBytes;
    this.#route = { exporter: "file", signal: "verdicts", destination: path };
    events.watchQueue(
      this.#route,
      waiting(() => [this.#lines.length, this.#bytes]),
    );
  }

  offer(line: string, done?: () => void): void {
    if (this.#bytes + line.length > this.#maxWaitingBytes) {
      this.#drop(1, "queue_full");
      return done?.();
    }
    this.#lines.push(line);
    if (done !== undefined) this.#dones.push(done);
    this.#bytes += line.length;
    if (this.#bytes >= largeWrite) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), this.#maxDelayMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#lines.length > 0) {
      this.#writing ??= this.#writeWaiting().finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#file?.close();
    this.#file = undefined;
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#lines;
    const bytes = this.#bytes;
    const dones = this.#dones;
    this.#lines = [];
    this.#dones = [];
    try {
      this.#file ??= await this.#open();
      await this.#file.appendFile(`${this.#torn ? "\n" : ""}${lines.join("\n")}\n`);
      this.#torn = false;
      this.#events.sent({ ...this.#route, records: lines.length });
    } catch (error) {
      this.#torn = true;
      this.#events.failed({ ...this.#route, outcome: "dropped", error: String(error) });
      this.#drop(lines.length, "write_failed");
    } finally {
      this.#bytes -= bytes;
      for (const done of dones) done();
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true });
    const file = await open(this.#path, "a+");
    const { size } = await file.stat();
    if (size > 0) {
      const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      this.#torn = last.buffer[0] !== lineBreak;
    }
    return file;
  }

  #drop(records: number, why: DropReason): void {
    this.#events.dropped({ ...this.#route, records, why });
  }
}

const lineBreak = 0x0a;

function waiting(read: () => readonly [records: number, bytes: number]) {
  return {
    get records() {
      return read()[0];
    },
    get bytes() {
      return read()[1];
    },
  };
}
